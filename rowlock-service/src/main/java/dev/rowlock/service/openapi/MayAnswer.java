package dev.rowlock.service.openapi;

import dev.rowlock.service.problem.ProblemType;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Names the error answers of an operation, for its description, beyond those that every operation has. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface MayAnswer {
    /** The types of the problem details. */
    ProblemType[] value();
}
