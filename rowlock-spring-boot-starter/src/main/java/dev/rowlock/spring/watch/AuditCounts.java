package dev.rowlock.spring.watch;

import dev.rowlock.spring.actuate.RowlockEndpointContributor;
import dev.rowlock.watch.audit.Audit;
import dev.rowlock.watch.audit.Finding;
import dev.rowlock.watch.audit.Hazard;
import dev.rowlock.watch.trace.Trace;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import javax.sql.DataSource;

/** Audits all that is sent through the data sources that it is put around, counts what it finds, and logs each finding once. */
final class AuditCounts implements RowlockEndpointContributor {
    private final AtomicLongArray found = new AtomicLongArray(Hazard.values().length);
    /** It keeps no records and no values: the audit compares marks of them. */
    private final Trace trace = Trace.builder()
            .capacity(0)
            .hidingValues()
            .listener(Audit.builder().onFinding(this::count).logging().build())
            .build();

    private void count(Finding finding) {
        found.incrementAndGet(finding.hazard().ordinal());
    }

    DataSource around(DataSource dataSource) {
        return trace.over(dataSource);
    }

    long of(Hazard hazard) {
        return found.get(hazard.ordinal());
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
