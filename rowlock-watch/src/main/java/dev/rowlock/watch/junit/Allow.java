package dev.rowlock.watch.junit;

import dev.rowlock.watch.audit.Hazard;
import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A finding that is accepted. One of {@link #table} and {@link #caller} must be given; of both, both must fit. */
@Documented
@Target({})
@Retention(RetentionPolicy.RUNTIME)
public @interface Allow {
    /** What is accepted. */
    Hazard[] value();

    /** In findings on this table. */
    String table() default "";

    /** In findings of which one statement comes from a class, or {@code class.method}, whose name begins so. */
    String caller() default "";

    /** Why it is right here; must not be blank. */
    String reason();
}
