/** Runs a method again that lost to other transactions, around its transaction. */
@NullMarked
package dev.rowlock.spring.retry;

import org.jspecify.annotations.NullMarked;
