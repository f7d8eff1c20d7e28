/** Sees what a program really sends to its database through JDBC. */
@NullMarked
package dev.rowlock.watch;

import org.jspecify.annotations.NullMarked;
