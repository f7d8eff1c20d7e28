/** Rowlock in a Spring Boot application: what applications configure. */
@NullMarked
package dev.rowlock.spring;

import org.jspecify.annotations.NullMarked;
