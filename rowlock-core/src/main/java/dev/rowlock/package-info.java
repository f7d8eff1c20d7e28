/** Safe ways to change a shared row on PostgreSQL. Start at Rowlock. */
@NullMarked
package dev.rowlock;

import org.jspecify.annotations.NullMarked;
