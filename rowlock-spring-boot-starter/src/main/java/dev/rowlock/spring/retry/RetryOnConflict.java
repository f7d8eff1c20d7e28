package dev.rowlock.spring.retry;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs the method again, as a whole and in a new transaction, when it has lost to other transactions: SQLSTATE 40001 or 40P01
 * anywhere in the chain of causes, whatever class wraps it. On a class: all its public methods.
 *
 * <p>It is always outside of {@code @Transactional}, also of one on the same method, because a transaction that has lost can do
 * no more. So the method must not be called inside a transaction: that is an {@link IllegalStateException}, and only the outermost
 * method may be marked. What the method does outside the database it does once for each attempt; see
 * {@link dev.rowlock.Tx#afterCommit}.
 *
 * <p>After the last attempt the caller gets a {@link dev.rowlock.RetriesExhaustedException} with every attempt's error attached. A
 * thread that is interrupted begins no other attempt: {@link dev.rowlock.TransactionInterruptedException}. As with every advice, calls
 * of an object to itself are not seen.
 */
@Documented
@Inherited
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface RetryOnConflict {
    /** How many times the method is run at most, the first included: from 1 to 100. */
    int attempts() default 5;

    /** No attempt begins later than this after the first one, in milliseconds: from 1 to 86,400,000. */
    long budgetMillis() default 10_000;

    /** Upper bound of the random wait before the second attempt, in milliseconds, doubled for each one after it: at least 1. */
    long baseDelayMillis() default 10;

    /** Upper bound of any random wait, in milliseconds: not below {@link #baseDelayMillis}. */
    long maxDelayMillis() default 1_000;

    /** Whether a lock that was not to be had (SQLSTATE 55P03) is worth another attempt too. */
    boolean lockTimeouts() default false;

    /**
     * Whether a call inside a transaction is run there, once, and left to whoever opened it to run again. Otherwise it is refused:
     * an attempt inside a transaction that has lost can only fail again.
     */
    boolean allowInTransaction() default false;
}
