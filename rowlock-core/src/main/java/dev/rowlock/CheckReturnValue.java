package dev.rowlock;

import static java.lang.annotation.ElementType.METHOD;
import static java.lang.annotation.ElementType.TYPE;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Not looking at the result is a mistake. Error Prone and SpotBugs know annotations of this name. */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({METHOD, TYPE})
@interface CheckReturnValue {}
