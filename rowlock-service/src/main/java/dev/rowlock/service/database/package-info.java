/** The tables: the service's own, and those of Rowlock. */
@NullMarked
package dev.rowlock.service.database;

import org.jspecify.annotations.NullMarked;
