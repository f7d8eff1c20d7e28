package dev.rowlock.spring.meters;

import dev.rowlock.jobs.JobsListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Counts what the worker does. */
final class JobMeters implements JobsListener {
    private final MeterProvider<Timer> ended;
    private final Counter claimed;
    private final Counter takenBack;

    JobMeters(MeterRegistry meters) {
        this.ended = Timer.builder("rowlock.jobs")
                .description("Attempts of jobs, by how they ended; the time is the handler's")
                .withRegistry(meters);
        this.claimed = Counter.builder("rowlock.jobs.claimed")
                .description("Jobs that were claimed")
                .register(meters);
        this.takenBack = Counter.builder("rowlock.jobs.taken.back")
                .description("Jobs whose lease had ended and that were made ready again, or dead")
                .register(meters);
    }

    @Override
    public void onClaimed(String queue, int jobs, long nanos) {
        claimed.increment(jobs);
    }

    @Override
    public void onEnded(Ended attempt) {
        ended.withTags(
                        "type",
                        attempt.job().type(),
                        "outcome",
                        attempt.outcome().name().toLowerCase(Locale.ROOT))
                .record(attempt.nanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void onTakenBack(String queue, int jobs) {
        takenBack.increment(jobs);
    }
}
