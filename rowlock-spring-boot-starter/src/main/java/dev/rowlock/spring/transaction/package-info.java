/** The {@link dev.rowlock.Rowlock} bean, a part of Spring's transactions. */
@NullMarked
package dev.rowlock.spring.transaction;

import org.jspecify.annotations.NullMarked;
