package dev.rowlock.once;

import dev.rowlock.Isolation;
import dev.rowlock.Rowlock;
import dev.rowlock.Tx;
import dev.rowlock.TxFunction;
import java.time.Duration;
import java.util.Optional;

/**
 * Idempotency keys: a request that is sent twice has its effect once and gets the same answer. The effect, the key and the answer are
 * in one transaction of the caller's database, so a crash at any point leaves either nothing or the whole. Immutable and thread-safe.
 *
 * <pre>{@code
 * Once once = Once.over(rowlock);                                     // the table: RowlockSchema.install(rowlock)
 *
 * OnceResult result = once.run(new OnceKey("tenant-7/charges", key), Fingerprint.of("POST", path, body), tx -> {
 *     long left = tx.update(WALLETS, 7).add("balance", -80).onlyIf("balance >= ?", 80).apply().orThrow().getLong("balance");
 *     return Answer.of(201, "{\"balance\":" + left + "}").withHeader("Content-Type", "application/json");
 * });
 * }</pre>
 *
 * <p><b>What a request meets:</b>
 * <ul>
 *   <li>the key is free, or expired: the function is run; its answer is kept, and committed with all that it wrote;
 *   <li>the key has an answer: that answer, byte for byte, {@linkplain OnceResult#replayed() replayed}; the function is not run;
 *   <li>the key was used for a request with another fingerprint: {@link KeyReusedException};
 *   <li>a request with the key is under way: waits for its end up to the wait limit. Then its answer is replayed; or it has failed,
 *       and this one has the key; or it still runs: {@link InFlightException}.
 * </ul>
 *
 * <p><b>Failure frees the key.</b> Whatever the function throws rolls back the effect and the key, and the next request tries anew. A
 * refusal that shall be remembered is either an answer that the function returns or an {@link OnceRefusal} that it throws.
 *
 * <p><b>Effects outside the database</b> cannot be in the transaction, and the function may be run several times (see
 * {@link Rowlock}): put them into {@link dev.rowlock.Tx#afterCommit}, where they are done once, or into an outbox.
 *
 * <p><b>Inside an open unit of work</b> the key and the answer become part of that: they are there if it commits, gone if it rolls
 * back, and until then others with the same key wait. What is returned is not durable before that.
 *
 * <p>A {@link dev.rowlock.CommitUnknownException} leaves open whether the request is done; here the cure is to send it again with the
 * same key.
 */
public final class Once {
    private static final int MAX_CLEAN_UP = 10_000;

    private final Rowlock rowlock;
    private final Duration retention;
    private final Duration waitLimit;
    private final int maxAnswerBytes;
    private final SeenKeys seen;
    private final SafeOnceListener listener;

    private Once(
            Rowlock rowlock,
            Duration retention,
            Duration waitLimit,
            int maxAnswerBytes,
            SeenKeys seen,
            SafeOnceListener listener) {
        this.rowlock = rowlock;
        this.seen = seen;
        this.retention = retention;
        this.waitLimit = waitLimit;
        this.maxAnswerBytes = maxAnswerBytes;
        this.listener = listener;
    }

    /** With all defaults. */
    public static Once over(Rowlock rowlock) {
        return builder(rowlock).build();
    }

    /** Begins one with other limits. */
    public static Builder builder(Rowlock rowlock) {
        return new Builder(rowlock);
    }

    /**
     * The same, waiting this long for a request with the same key.
     *
     * @param limit from 1 ms, which hardly waits at all, to the statement timeout of the {@link Rowlock}
     */
    public Once withWaitLimit(Duration limit) {
        return new Once(rowlock, retention, Builder.checkWaitLimit(limit), maxAnswerBytes, seen, listener);
    }

    /**
     * Runs the function once for the key and keeps its answer; costs one round trip more than the same unit of work without a key. A
     * replay is two, or mostly one with {@link Builder#remember}.
     *
     * @param work the effect; it runs in the transaction that keeps the answer
     * @return the answer, from this run or an earlier one
     * @throws KeyReusedException if the key was used for another request; nothing is done
     * @throws InFlightException if a request with the key is under way for longer than the wait limit; nothing is done
     * @throws IllegalStateException if the answer is larger than the limit (the effect is rolled back), or the function uses its own
     *     key
     * @throws IllegalArgumentException if the wait limit is longer than the statement timeout
     * @throws X if the function throws it; all is rolled back and the key is free
     */
    public <X extends Exception> OnceResult run(OnceKey key, Fingerprint fingerprint, TxFunction<Answer, X> work)
            throws X {
        return listener.telling(key, () -> {
            Optional<OnceResult> repeated = ifSeen(key, fingerprint);
            return repeated.isPresent() ? repeated.get() : this.<X>carryOut(key, fingerprint, work);
        });
    }

    /** The answer to a repeat, if this process knows that it is one. */
    private Optional<OnceResult> ifSeen(OnceKey key, Fingerprint fingerprint) {
        return rowlock.isInUnitOfWork() || !seen.probably(key)
                ? Optional.empty()
                : Keys.find(rowlock, key, fingerprint).map(kept -> new OnceResult(kept, true));
    }

    private <X extends Exception> OnceResult carryOut(OnceKey key, Fingerprint fingerprint, TxFunction<Answer, X> work)
            throws X {
        boolean joins = rowlock.isInUnitOfWork();
        try {
            OnceResult result = rowlock.<OnceResult, X>call(tx -> {
                Optional<Answer> kept = Keys.claim(tx, key, fingerprint, retention, waitLimit);
                return kept.isPresent() ? new OnceResult(kept.get(), true) : keep(tx, key, work.apply(tx));
            });
            seen.add(key);
            return result;
        } catch (OnceRefusal refusal) {
            if (joins) {
                throw refusal;
            }
            // The key was free for a moment. Whoever took it meanwhile has made the answer, and this one gets it too.
            return carryOut(key, fingerprint, tx -> refusal.answer());
        }
    }

    /** As {@link #run(OnceKey, Fingerprint, TxFunction)}. */
    public <X extends Exception> OnceResult run(
            String scope, String key, Fingerprint fingerprint, TxFunction<Answer, X> work) throws X {
        return run(new OnceKey(scope, key), fingerprint, work);
    }

    /**
     * Runs one statement once for the key and keeps the answer that it returns. Where it has its effect, that is one round trip, as
     * many as without a key. A replay is two, or mostly one with {@link Builder#remember}. Where the
     * statement has no effect because its guard does not hold, the key is taken
     * first and the statement run again, which costs three more.
     *
     * <p>The statement then locks its rows before the key, so a request with the same key that holds one of its rows is waited for up
     * to the lock timeout, which ends in a {@link dev.rowlock.LockTimeoutException}. An answer lost on the way back is looked up under
     * the key, and then counts as replayed.
     *
     * @param otherwise answers, or throws, when the statement has returned no row; it has the key in hand
     * @throws KeyReusedException as in {@link #run(OnceKey, Fingerprint, TxFunction)}, and so for the others
     * @throws IllegalStateException if the statement returns more than one row, or one without a status or a body; nothing is done
     * @throws X if {@code otherwise} throws it; all is rolled back and the key is free
     */
    public <X extends Exception> OnceResult run(
            OnceKey key, Fingerprint fingerprint, OnceStatement statement, TxFunction<Answer, X> otherwise) throws X {
        return listener.telling(key, () -> carryOut(key, fingerprint, statement, otherwise));
    }

    private <X extends Exception> OnceResult carryOut(
            OnceKey key, Fingerprint fingerprint, OnceStatement statement, TxFunction<Answer, X> otherwise) throws X {
        if (!rowlock.isInUnitOfWork()) {
            Optional<OnceResult> result = ifSeen(key, fingerprint)
                    .or(() -> statement.runAlone(rowlock, key, fingerprint, retention, maxAnswerBytes));
            if (result.isPresent()) {
                seen.add(key);
                return result.get();
            }
        }
        return this.<X>carryOut(key, fingerprint, tx -> {
            Optional<Answer> made = statement.runIn(tx);
            return made.isPresent() ? made.get() : otherwise.apply(tx);
        });
    }

    private OnceResult keep(Tx tx, OnceKey key, Answer answer) {
        if (answer.size() > maxAnswerBytes) {
            throw new IllegalStateException("the answer to idempotency key " + key + " has " + answer.size()
                    + " bytes, the limit is " + maxAnswerBytes
                    + "; keep a smaller one (a reference to what was made) or raise maxAnswerBytes");
        }
        Keys.keep(tx, key, answer);
        return new OnceResult(answer, false);
    }

    /**
     * Deletes expired keys, the oldest first. Never waits: keys that a request is just taking over are passed over. A request waits for
     * this only if it brings a key that is being deleted, so at most for one statement. Keys expire without it too; this frees
     * their space. Call it from time to time until it returns less than the limit.
     *
     * @param limit how many keys at most, from 1 to {@value #MAX_CLEAN_UP}
     * @return how many were deleted
     * @throws IllegalStateException inside an open unit of work, which would hold the keys until its end
     */
    public int cleanUp(int limit) {
        if (limit < 1 || limit > MAX_CLEAN_UP) {
            throw new IllegalArgumentException("the limit is " + limit + "; it must be from 1 to " + MAX_CLEAN_UP);
        }
        if (rowlock.isInUnitOfWork()) {
            throw new IllegalStateException(
                    "cleanUp inside a unit of work would hold the expired keys until its end; call it outside");
        }
        return rowlock.withIsolation(Isolation.READ_COMMITTED).call(tx -> Keys.cleanUp(tx, limit));
    }

    /** Collects the limits of a {@link Once}. */
    public static final class Builder {
        private static final Duration SHORTEST = Duration.ofMillis(1);
        private static final Duration LONGEST_WAIT = Duration.ofHours(24);
        private static final Duration LONGEST_RETENTION = Duration.ofDays(3650);
        private static final int LARGEST_ANSWER = 16 * 1024 * 1024;
        private static final int MOST_REMEMBERED = 1_000_000;

        private final Rowlock rowlock;
        private Duration retention = Duration.ofHours(24);
        private Duration waitLimit = Duration.ofSeconds(2);
        private int maxAnswerBytes = 64 * 1024;
        private int remembered;
        private OnceListener listener = OnceListener.NONE;

        private Builder(Rowlock rowlock) {
            this.rowlock = rowlock;
        }

        /**
         * How long a key is kept, from the beginning of the transaction that made its answer, on the database's clock: 24 hours by
         * default, from 1 ms to 10 years. A repeat that comes later is a new request, so clients must give up before.
         */
        public Builder retention(Duration time) {
            this.retention = check("retention", time, LONGEST_RETENTION);
            return this;
        }

        /** How long to wait for a request with the same key: 2 s by default. Must not be longer than the statement timeout. */
        public Builder waitLimit(Duration limit) {
            this.waitLimit = checkWaitLimit(limit);
            return this;
        }

        /** How many bytes the headers and the body of an answer may take: 65,536 by default, at most 16 MiB. */
        public Builder maxAnswerBytes(int bytes) {
            if (bytes < 1 || bytes > LARGEST_ANSWER) {
                throw new IllegalArgumentException(
                        "maxAnswerBytes is " + bytes + "; it must be from 1 to " + LARGEST_ANSWER);
            }
            this.maxAnswerBytes = bytes;
            return this;
        }

        /**
         * Remembers which keys it has answered, so that a repeat that comes to the same process looks its answer up at once instead of
         * trying first whether the key is free: a round trip less, and for a {@link OnceStatement} no effect that is undone. Never
         * decides anything. In a race of the prover leave it off: what is remembered from one order of steps would change the next.
         *
         * @param keys how many, eight bytes each; from 0, the default, to 1,000,000. A few minutes' worth is what helps
         */
        public Builder remember(int keys) {
            if (keys < 0 || keys > MOST_REMEMBERED) {
                throw new IllegalArgumentException(
                        "remember is " + keys + " keys; it must be from 0 to " + MOST_REMEMBERED);
            }
            this.remembered = keys;
            return this;
        }

        /** Who hears what requests meet: nobody by default. */
        public Builder listener(OnceListener listener) {
            this.listener = listener;
            return this;
        }

        /** Makes it. */
        public Once build() {
            return new Once(
                    rowlock,
                    retention,
                    waitLimit,
                    maxAnswerBytes,
                    new SeenKeys(remembered),
                    new SafeOnceListener(listener));
        }

        private static Duration checkWaitLimit(Duration limit) {
            return check("waitLimit", limit, LONGEST_WAIT);
        }

        private static Duration check(String what, Duration value, Duration longest) {
            if (value.compareTo(SHORTEST) < 0 || value.compareTo(longest) > 0) {
                throw new IllegalArgumentException(
                        what + " is " + value + "; it must be from " + SHORTEST + " to " + longest);
            }
            return value;
        }
    }
}
