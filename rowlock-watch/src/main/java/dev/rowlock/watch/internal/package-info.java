/** What the packages of the watch share, and nobody else needs. */
@NullMarked
package dev.rowlock.watch.internal;

import org.jspecify.annotations.NullMarked;
