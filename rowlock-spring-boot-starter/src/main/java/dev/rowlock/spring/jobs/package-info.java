/** The job queue: a worker that lives as long as the application. */
@NullMarked
package dev.rowlock.spring.jobs;

import org.jspecify.annotations.NullMarked;
