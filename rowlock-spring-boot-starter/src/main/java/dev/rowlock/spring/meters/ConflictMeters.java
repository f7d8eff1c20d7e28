package dev.rowlock.spring.meters;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;

/**
 * Counts who noticed that writers collided: nobody, because another attempt succeeded, or the caller. Attempts of methods count here; those
 * of units of work are told by {@link MeteringListener}.
 */
final class ConflictMeters {
    static final String ABSORBED = "rowlock.conflicts.absorbed";
    static final String SURFACED = "rowlock.conflicts.surfaced";
    static final String UNIT = "unit";
    static final String METHOD = "method";

    private final MeterProvider<Counter> absorbed;
    private final MeterProvider<Counter> surfaced;

    ConflictMeters(MeterRegistry registry) {
        absorbed = Counter.builder(ABSORBED)
                .description("Attempts that lost to other transactions and whose caller never noticed")
                .withRegistry(registry);
        surfaced = Counter.builder(SURFACED)
                .description("Attempts that lost to other transactions and whose caller got an error in the end")
                .withRegistry(registry);
        List.of(UNIT, METHOD).forEach(by -> {
            absorbed.withTags("by", by);
            surfaced.withTags("by", by);
        });
    }

    void ended(String by, int conflicts, boolean isAbsorbed) {
        (isAbsorbed ? absorbed : surfaced).withTags("by", by).increment(conflicts);
    }
}
