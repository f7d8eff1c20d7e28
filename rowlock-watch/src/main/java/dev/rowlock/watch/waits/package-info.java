/** Who waits for whom on a PostgreSQL right now. */
@NullMarked
package dev.rowlock.watch.waits;

import org.jspecify.annotations.NullMarked;
