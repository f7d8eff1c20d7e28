package dev.rowlock.spring;

import dev.rowlock.Rowlock;

/** Changes what the {@link Rowlock} bean is built with, after the properties have been applied; every bean of this type is asked, in order. */
@FunctionalInterface
public interface RowlockCustomizer {
    /** Changes the builder. */
    void customize(Rowlock.Builder builder);
}
