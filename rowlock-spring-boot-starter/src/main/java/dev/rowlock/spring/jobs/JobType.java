package dev.rowlock.spring.jobs;

import dev.rowlock.jobs.JobHandler;

/** A type of job and what does its work; every bean of this type is given to the worker. */
public interface JobType extends JobHandler {
    /** The type of the jobs. */
    String type();
}
