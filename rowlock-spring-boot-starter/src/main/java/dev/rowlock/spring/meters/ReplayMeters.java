package dev.rowlock.spring.meters;

import dev.rowlock.spring.idempotency.Replay;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;

/** Counts the answers to requests with an Idempotency-Key. */
final class ReplayMeters implements Replay {
    private final MeterProvider<Counter> answers;

    ReplayMeters(MeterRegistry registry) {
        answers = Counter.builder("rowlock.idempotency.answers")
                .description("Answers to requests with an Idempotency-Key, those of duplicates apart")
                .withRegistry(registry);
        List.of("true", "false").forEach(replayed -> answers.withTags("replayed", replayed));
    }

    @Override
    public void onAnswered(boolean replayed) {
        answers.withTags("replayed", Boolean.toString(replayed)).increment();
    }
}
