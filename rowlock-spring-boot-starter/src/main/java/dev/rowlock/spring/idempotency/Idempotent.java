package dev.rowlock.spring.idempotency;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a controller method once for each {@code Idempotency-Key} (draft-ietf-httpapi-idempotency-key-header) and answers every repeat with
 * the same status, headers and bytes, and {@code Idempotent-Replayed: true}.
 *
 * <p>The whole of the method runs in one transaction, and its effect and its answer commit together: a crash leaves both or neither.
 * {@code @Transactional} methods and units of work in it become parts of that transaction. What opens a transaction of its own
 * ({@code REQUIRES_NEW}, another data source, calls to others) is outside and is done again by a repeat after a failure. If the
 * transaction loses to others, the method is run again, within the limits of {@code rowlock.max-attempts} and its like.
 *
 * <p>What the method returns is kept if its status is below 500. What it throws is not, and leaves the key free, unless
 * {@link #refusals} names it: then all that the method did is rolled back, and the answer that the application gives to that exception
 * is kept.
 *
 * <p>What a request gets besides: 400 if the key is missing or cannot be read; 409 with {@code Retry-After} if the first one is under way for
 * longer than {@code rowlock.idempotency.wait-limit}; 422 if the key came with another request; 413 if its body is larger than
 * {@code rowlock.idempotency.max-request}. Answers that are made later or piece by piece (async, streams) cannot be kept:
 * {@link IllegalStateException}.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Idempotent {
    /** Whether a request without a key is a 400. Otherwise it is carried out as if there were no {@code @Idempotent}. */
    boolean required() default true;

    /** Exceptions whose answer is kept under the key, because the same request would be refused again. */
    Class<? extends Throwable>[] refusals() default {};

    /** The answer's headers that a repeat sees again, besides {@code Content-Type}. */
    String[] headers() default {"Location", "ETag"};
}
