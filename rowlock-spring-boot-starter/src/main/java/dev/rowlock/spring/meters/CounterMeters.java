package dev.rowlock.spring.meters;

import dev.rowlock.counter.Counter;
import dev.rowlock.counter.CounterStats;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToDoubleFunction;

/** Shows how requests pile up on counters and are combined. */
public final class CounterMeters {
    private final MeterRegistry meters;

    /** Into this registry. */
    public CounterMeters(MeterRegistry meters) {
        this.meters = meters;
    }

    /** Shows this counter under the name, and returns it. */
    public Counter count(String name, Counter counter) {
        Gauge.builder("rowlock.counter.waiting", counter, of(CounterStats::waiting))
                .description("Requests that wait for their row or for a transaction")
                .tag("counter", name)
                .register(meters);
        Gauge.builder("rowlock.counter.running", counter, of(CounterStats::running))
                .description("Transactions and single statements under way")
                .tag("counter", name)
                .register(meters);
        total("requests", "Requests", name, counter, CounterStats::requests);
        total("batches", "Transactions that carried out what had waited", name, counter, CounterStats::batches);
        total("combined", "Requests that such transactions carried out", name, counter, CounterStats::combined);
        return counter;
    }

    private void total(
            String what, String description, String name, Counter counter, ToDoubleFunction<CounterStats> total) {
        FunctionCounter.builder("rowlock.counter." + what, counter, of(total))
                .description(description)
                .tag("counter", name)
                .register(meters);
    }

    private static ToDoubleFunction<Counter> of(ToDoubleFunction<CounterStats> figure) {
        return counter -> figure.applyAsDouble(counter.stats());
    }
}
