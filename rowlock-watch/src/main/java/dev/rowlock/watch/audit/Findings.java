package dev.rowlock.watch.audit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What was found, each once for the same statements from the same places. */
final class Findings {
    /** More different ones are only counted. */
    static final int MOST = 1_000;

    private final List<Consumer<Finding>> listeners;
    private final Map<List<Object>, Finding> found = new LinkedHashMap<>();
    private long overflow;

    Findings(List<Consumer<Finding>> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    void add(Hazard hazard, String table, String what, Access... accesses) {
        List<Object> key = new ArrayList<>(List.of(hazard, table));
        for (Access access : accesses) {
            key.add(access.sent().caller());
            key.add(access.part().shape().form());
        }
        Finding before = found.get(key);
        if (before == null && found.size() >= MOST) {
            overflow++;
            return;
        }
        Finding finding = before == null
                ? new Finding(
                        hazard,
                        table,
                        what,
                        Arrays.stream(accesses).map(Access::evidence).toList(),
                        1)
                : new Finding(hazard, table, before.what(), before.evidence(), before.count() + 1);
        found.put(key, finding);
        listeners.forEach(listener -> listener.accept(finding));
    }

    List<Finding> all() {
        return List.copyOf(found.values());
    }

    long overflow() {
        return overflow;
    }
}
