/** The program {@code rowlock}: its commands, and the PostgreSQL that {@code rowlock serve} brings along. */
@NullMarked
package dev.rowlock.cli;

import org.jspecify.annotations.NullMarked;
