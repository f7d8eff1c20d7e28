package dev.rowlock.spring;

import dev.rowlock.Isolation;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The {@code rowlock.*} properties.
 *
 * @param lockTimeout how long a statement waits for one lock: 2 s by default; not longer than the statement timeout
 * @param statementTimeout how long a statement may take, waiting included: 15 s by default
 * @param idleInTransactionTimeout how long a transaction may stand idle between two statements: 30 s by default
 * @param limitsPerTransaction whether limits are set in each transaction instead of once for each connection: off by default, needed
 *     behind a pooler in transaction mode
 * @param maxRows how many rows one request may lock: 100 by default
 * @param maxAttempts how many times a unit of work is run at most, the first included: 5 by default, from 1 to 100
 * @param retryBaseDelay upper bound of the random wait before the second attempt: 10 ms by default
 * @param retryMaxDelay upper bound of any random wait: 1 s by default
 * @param retryBudget no attempt begins later than this after the first: 10 s by default
 * @param retryLockTimeouts whether a lock that was not to be had is worth another attempt: off by default
 * @param commitCheckLimit how long to ask for the outcome of a commit whose answer was lost: 10 s by default
 * @param isolation the level of transactions that Rowlock opens: read-committed by default
 * @param joinTransactions whether a unit of work inside a transaction of Spring's becomes a part of it: on by default
 * @param jobs the worker's
 * @param idempotency those of idempotency keys
 * @param http those of answers
 * @param watch what is looked at while the application runs
 */
@ConfigurationProperties("rowlock")
public record RowlockProperties(
        @DefaultValue("2s") Duration lockTimeout,
        @DefaultValue("15s") Duration statementTimeout,
        @DefaultValue("30s") Duration idleInTransactionTimeout,
        @DefaultValue("false") boolean limitsPerTransaction,
        @DefaultValue("100") int maxRows,
        @DefaultValue("5") int maxAttempts,
        @DefaultValue("10ms") Duration retryBaseDelay,
        @DefaultValue("1s") Duration retryMaxDelay,
        @DefaultValue("10s") Duration retryBudget,
        @DefaultValue("false") boolean retryLockTimeouts,
        @DefaultValue("10s") Duration commitCheckLimit,
        @DefaultValue("read-committed") Isolation isolation,
        @DefaultValue("true") boolean joinTransactions,
        @DefaultValue Jobs jobs,
        @DefaultValue Idempotency idempotency,
        @DefaultValue Http http,
        @DefaultValue Watch watch) {

    /**
     * The limits of this instance's worker, as {@code rowlock.jobs.*} properties. There is one if there are beans that handle jobs.
     *
     * @param enabled whether this instance works on jobs: on by default
     * @param queue the queue to work on: "default" by default
     * @param concurrency how many jobs run at the same time: 8 by default
     * @param lease for how long a job is held without a sign of life: 1.2 s by default
     * @param pollInterval how often to look for jobs when nothing says that there are any: 250 ms by default
     * @param stopLimit how long a shutdown waits for running jobs: 20 s by default
     * @param listen whether to hold a connection outside the pool to be told of new jobs at once: on by default
     */
    public record Jobs(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("default") String queue,
            @DefaultValue("8") int concurrency,
            @DefaultValue("1200ms") Duration lease,
            @DefaultValue("250ms") Duration pollInterval,
            @DefaultValue("20s") Duration stopLimit,
            @DefaultValue("true") boolean listen) {}

    /**
     * The limits of idempotency keys, as {@code rowlock.idempotency.*} properties.
     *
     * @param retention how long a key and its answer are kept: 24 h by default
     * @param waitLimit how long a repeat waits for the first request: 2 s by default
     * @param maxAnswer how large a kept answer may be: 64 KB by default
     * @param maxRequest how large the body of a request with a key may be: 1 MB by default
     * @param cleanUpInterval how often expired keys are deleted: every minute by default; 0 for never
     */
    public record Idempotency(
            @DefaultValue("24h") Duration retention,
            @DefaultValue("2s") Duration waitLimit,
            @DefaultValue("64KB") DataSize maxAnswer,
            @DefaultValue("1MB") DataSize maxRequest,
            @DefaultValue("1m") Duration cleanUpInterval) {}

    /**
     * The answers, as {@code rowlock.http.*} properties.
     *
     * @param problems those to errors
     */
    public record Http(@DefaultValue Problems problems) {}

    /**
     * The answers to errors, as {@code rowlock.http.problems.*} properties.
     *
     * @param enabled whether conflicts and database errors are answered as problem details (RFC 9457): off by default
     */
    public record Problems(@DefaultValue("false") boolean enabled) {}

    /**
     * What is looked at, as {@code rowlock.watch.*} properties.
     *
     * @param audit the lock audit
     */
    public record Watch(@DefaultValue Audit audit) {}

    /**
     * The lock audit, as {@code rowlock.watch.audit.*} properties.
     *
     * @param enabled whether all SQL is audited for missing and dangerous locks, and findings are counted and logged: off by default
     */
    public record Audit(@DefaultValue("false") boolean enabled) {}
}
