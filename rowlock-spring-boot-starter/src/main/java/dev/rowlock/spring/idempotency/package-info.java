/** The {@code Idempotency-Key} header: a request that is sent again is answered again and done once. */
@NullMarked
package dev.rowlock.spring.idempotency;

import org.jspecify.annotations.NullMarked;
