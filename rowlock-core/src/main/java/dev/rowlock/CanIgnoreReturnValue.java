package dev.rowlock;

import static java.lang.annotation.ElementType.METHOD;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Not looking at the result is fine, although its class is {@link CheckReturnValue}. */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(METHOD)
@interface CanIgnoreReturnValue {}
