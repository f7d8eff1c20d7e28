/** The {@link dev.rowlock.Rowlock} over the pool, its limits and its meters. */
@NullMarked
package dev.rowlock.service.database;

import org.jspecify.annotations.NullMarked;
