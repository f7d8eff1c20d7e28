package dev.rowlock.spring.watch;

import dev.rowlock.watch.audit.Hazard;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/** {@code rowlock.audit.findings} by hazard, from 0 on. */
final class AuditMeters implements MeterBinder {
    private final AuditCounts counts;

    AuditMeters(AuditCounts counts) {
        this.counts = counts;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (Hazard hazard : Hazard.values()) {
            FunctionCounter.builder("rowlock.audit.findings", counts, all -> all.of(hazard))
                    .description("What the lock audit has found in the SQL of this application")
                    .tag("hazard", hazard.id())
                    .register(registry);
        }
    }
}
