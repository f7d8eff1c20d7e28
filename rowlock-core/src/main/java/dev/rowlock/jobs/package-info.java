/** A durable job queue in the database that the work is about: enqueued with the caller's transaction, run at least once. Start at Jobs. */
@NullMarked
package dev.rowlock.jobs;

import org.jspecify.annotations.NullMarked;
