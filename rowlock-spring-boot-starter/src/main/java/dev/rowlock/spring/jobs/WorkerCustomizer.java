package dev.rowlock.spring.jobs;

import dev.rowlock.jobs.WorkerBuilder;

/** Changes what the worker is built with, after the properties have been applied; every bean of this type is asked, in order. */
@FunctionalInterface
public interface WorkerCustomizer {
    /** Changes the builder. */
    void customize(WorkerBuilder builder);
}
