package dev.rowlock.counter;

import dev.rowlock.Table;
import dev.rowlock.counter.CounterListener.Result;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells a user's listener, and keeps its failures away from the requests. */
final class SafeCounterListener {
    private static final Logger LOG = LoggerFactory.getLogger(Counter.class);

    private final CounterListener listener;
    private final Table table;

    SafeCounterListener(CounterListener listener, Table table) {
        this.listener = listener;
        this.table = table;
    }

    List<Outcome> telling(List<Request> requests, Function<List<Request>, List<Outcome>> work) {
        long begin = System.nanoTime();
        List<Outcome> outcomes = work.apply(requests);
        long nanos = System.nanoTime() - begin;
        tell(one -> one.onBatch(table, requests.size(), nanos));
        outcomes.stream().filter(outcome -> !outcome.isDeferred()).forEach(this::carriedOut);
        return outcomes;
    }

    private void carriedOut(Outcome outcome) {
        Changes answer = outcome.answer();
        carriedOut(answer == null ? Result.FAILED : Result.of(answer));
    }

    void carriedOut(Result result) {
        tell(one -> one.onCarriedOut(table, result));
    }

    void notBegun(NotBegunException e) {
        tell(one -> one.onNotBegun(table, e.reason()));
    }

    private void tell(Consumer<CounterListener> event) {
        try {
            event.accept(listener);
        } catch (Throwable e) {
            LOG.error(
                    "the listener {} failed; the counter goes on",
                    listener.getClass().getName(),
                    e);
        }
    }
}
