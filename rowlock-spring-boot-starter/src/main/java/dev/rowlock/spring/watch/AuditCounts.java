package dev.rowlock.spring.watch;

import dev.rowlock.spring.actuate.RowlockEndpointContributor;
import dev.rowlock.watch.audit.Audit;
import dev.rowlock.watch.audit.Finding;
import dev.rowlock.watch.audit.Hazard;
import dev.rowlock.watch.trace.Trace;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;

/** Audits all that is sent through the data sources that it is put around, counts what it finds, and logs each finding once. */
final class AuditCounts implements RowlockEndpointContributor {
    private final Map<Hazard, LongAdder> found = new EnumMap<>(Hazard.class);
    /** It keeps no records and no values: the audit compares marks of them. */
    private final Trace trace = Trace.builder()
            .capacity(0)
            .hidingValues()
            .listener(Audit.builder().onFinding(this::count).logging().build())
            .build();

    AuditCounts() {
        for (Hazard hazard : Hazard.values()) {
            found.put(hazard, new LongAdder());
        }
    }

    private void count(Finding finding) {
        counter(finding.hazard()).increment();
    }

    private LongAdder counter(Hazard hazard) {
        return Objects.requireNonNull(found.get(hazard));
    }

    DataSource around(DataSource dataSource) {
        return trace.over(dataSource);
    }

    long of(Hazard hazard) {
        return counter(hazard).sum();
    }

    @Override
    public String name() {
        return "audit";
    }

    /** Every hazard by its id, those that were never found too. */
    @Override
    public Map<String, ?> details() {
        Map<String, Object> counts = new LinkedHashMap<>();
        for (Hazard hazard : Hazard.values()) {
            counts.put(hazard.id(), of(hazard));
        }
        return counts;
    }
}
