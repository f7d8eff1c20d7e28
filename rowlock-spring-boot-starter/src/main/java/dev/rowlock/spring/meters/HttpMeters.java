package dev.rowlock.spring.meters;

import dev.rowlock.spring.http.ConflictListener;
import dev.rowlock.spring.http.ProblemKind;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Arrays;
import java.util.Locale;

/** Counts the conflicts and database errors that clients were answered with. */
final class HttpMeters implements ConflictListener {
    private final MeterProvider<Counter> answers;

    HttpMeters(MeterRegistry registry) {
        answers = Counter.builder("rowlock.http.problems")
                .description(
                        "Requests that were answered with a conflict or the database's trouble, by kind and status")
                .withRegistry(registry);
        Arrays.stream(ProblemKind.values()).forEach(this::counter);
    }

    private Counter counter(ProblemKind kind) {
        return answers.withTags(
                "kind",
                kind.name().toLowerCase(Locale.ROOT).replace('_', '-'),
                "status",
                Integer.toString(kind.status()));
    }

    @Override
    public void onAnswered(ProblemKind kind) {
        counter(kind).increment();
    }
}
