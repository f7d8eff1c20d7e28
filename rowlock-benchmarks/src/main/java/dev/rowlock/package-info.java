/** Microbenchmarks of what of Rowlock is not public, each beside the same work by hand. */
@NullMarked
package dev.rowlock;

import org.jspecify.annotations.NullMarked;
