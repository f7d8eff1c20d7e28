/** Idempotency keys: a request that comes twice has its effect once and gets the same answer. Start at Once. */
@NullMarked
package dev.rowlock.once;

import org.jspecify.annotations.NullMarked;
