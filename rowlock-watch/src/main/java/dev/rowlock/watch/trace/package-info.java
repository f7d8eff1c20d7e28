/** Every statement as it was sent: in which transaction, with which locks, how long, by whom. */
@NullMarked
package dev.rowlock.watch.trace;

import org.jspecify.annotations.NullMarked;
