/** The queue of jobs: who works on it, and what operators see of it. */
@NullMarked
package dev.rowlock.service.job;

import org.jspecify.annotations.NullMarked;
