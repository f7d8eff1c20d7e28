package dev.rowlock.spring.idempotency;

import dev.rowlock.once.Answer;
import dev.rowlock.once.Fingerprint;
import dev.rowlock.once.Once;
import dev.rowlock.once.OnceKey;
import dev.rowlock.once.OnceRefusal;
import dev.rowlock.once.OnceResult;
import dev.rowlock.spring.retry.Retries;
import dev.rowlock.spring.retry.RetryLimits;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.transaction.support.TransactionOperations;
import org.springframework.web.servlet.HandlerExceptionResolver;

/** Keeps the answers of requests, each in the transaction that had its effect. */
final class KeptAnswers {
    private final Once once;
    private final Optional<TransactionOperations> transactions;
    private final Retries retries;
    private final RetryLimits limits;
    private final Supplier<HandlerExceptionResolver> resolver;
    private final List<Replay> listeners;

    /** @param transactions in which the key, the effect and the answer are; without them in a unit of work of Rowlock's */
    KeptAnswers(
            Once once,
            Optional<TransactionOperations> transactions,
            Retries retries,
            RetryLimits limits,
            Supplier<HandlerExceptionResolver> resolver,
            List<Replay> listeners) {
        this.once = once;
        this.transactions = transactions;
        this.retries = retries;
        this.limits = limits;
        this.resolver = resolver;
        this.listeners = listeners;
    }

    /** Sends the answer, of this request or an earlier one. */
    void answer(OnceKey key, Fingerprint fingerprint, Exchange exchange) throws Exception {
        OnceResult result;
        try {
            result = Objects.requireNonNull(retries.run(limits, () -> attempt(key, fingerprint, exchange)));
        } catch (Exception | Error known) {
            throw known;
        } catch (Throwable unknown) {
            throw new UndeclaredThrowableException(unknown);
        }
        listeners.forEach(listener -> listener.onAnswered(result.replayed()));
        exchange.send(result.answer(), result.replayed());
    }

    private OnceResult attempt(OnceKey key, Fingerprint fingerprint, Exchange exchange) throws Exception {
        try {
            return inTransaction(key, fingerprint, () -> answerOf(exchange));
        } catch (OnceRefusal refusal) {
            // All that the method did is undone. Whoever took the key meanwhile has made the answer, and this one gets
            // it.
            return inTransaction(key, fingerprint, refusal::answer);
        }
    }

    /** Makes an answer in the transaction. */
    @FunctionalInterface
    private interface Work {
        Answer run() throws Exception;
    }

    private OnceResult inTransaction(OnceKey key, Fingerprint fingerprint, Work work) throws Exception {
        if (transactions.isEmpty()) {
            return once.run(key, fingerprint, tx -> work.run());
        }
        try {
            return transactions.get().<OnceResult>execute(status -> {
                try {
                    return once.run(key, fingerprint, tx -> work.run());
                } catch (RuntimeException | Error unchecked) {
                    throw unchecked;
                } catch (Exception checked) {
                    throw new Checked(checked);
                }
            });
        } catch (Checked checked) {
            throw checked.inner;
        }
    }

    private Answer answerOf(Exchange exchange) throws Exception {
        Answer answer;
        try {
            answer = exchange.answer(exchange.run());
        } catch (Exception failure) {
            if (exchange.isRefusal(failure)) {
                throw new OnceRefusal(exchange.refusal(resolver.get(), failure));
            }
            throw failure;
        }
        if (answer.status() >= 500) {
            throw new IllegalStateException("the method answered " + answer.status()
                    + ", which is not kept and does not commit; throw an exception instead");
        }
        return answer;
    }

    /** Carries a checked exception through Spring's transaction, which rolls back at it as at every other. */
    private static final class Checked extends RuntimeException {
        private final transient Exception inner;

        Checked(Exception inner) {
            super(inner.getMessage(), inner, false, false);
            this.inner = inner;
        }
    }
}
