package dev.rowlock.watch.audit;

import dev.rowlock.watch.audit.HeldLocks.Lock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The order in which transactions took locks, as a graph: rows of one table, and tables by their first locks. A cycle of transactions,
 * each of which wants what the next one has, is a deadlock that waits to happen, unless they conflict nowhere or all of them lock
 * something else first, which lets only one of them come so far ("Goodlock": K. Havelund, "Using Runtime Analysis to Guide Model Checking
 * of Java Programs", SPIN 2000).
 */
final class LockOrder {
    /** When there are more, all are forgotten and it begins anew. */
    static final int MOST_EDGES = 20_000;

    /** Longer cycles are not looked for. */
    static final int LONGEST_CYCLE = 6;

    /** Ways in which the same order was seen: in what transactions, behind which other locks. */
    private static final int MOST_EXAMPLES = 4;

    private final Findings findings;
    private final Map<String, Map<String, List<Edge>>> edges = new HashMap<>();
    private int count;

    /**
     * A transaction had the one and wanted the other.
     *
     * @param gates what it had locked exclusively before the first
     */
    private record Edge(String from, String to, long transaction, Lock held, Lock wanted, Set<String> gates) {}

    LockOrder(Findings findings) {
        this.findings = findings;
    }

    /** The transaction takes a lock. */
    void wants(Work work, Lock wanted) {
        HeldLocks held = work.held();
        if (held.holds(wanted)) {
            return;
        }
        if (wanted.access().waits()) {
            boolean firstOfTable = !held.holdsTable(wanted.table());
            Set<String> tables = new HashSet<>();
            Set<String> gates = new HashSet<>();
            for (Lock before : held.all()) {
                boolean sameTable = before.table().equals(wanted.table());
                boolean sameStatement = before.access().equals(wanted.access());
                if (sameTable && !sameStatement && !before.node().equals(wanted.node())) {
                    add(new Edge(before.node(), wanted.node(), transaction(wanted), before, wanted, Set.copyOf(gates)));
                } else if (!sameTable && !sameStatement && firstOfTable && tables.add(before.table())) {
                    add(new Edge(
                            before.table(), wanted.table(), transaction(wanted), before, wanted, Set.copyOf(gates)));
                }
                if (before.strength().isExclusive() && !before.node().equals(before.table())) {
                    gates.add(before.node());
                }
            }
        }
        held.take(wanted);
    }

    private static long transaction(Lock lock) {
        return lock.access().sent().session().transaction();
    }

    private void add(Edge edge) {
        if (count >= MOST_EDGES) {
            edges.clear();
            count = 0;
        }
        List<Edge> examples = edges.computeIfAbsent(edge.from(), from -> new LinkedHashMap<>())
                .computeIfAbsent(edge.to(), to -> new ArrayList<>());
        boolean known = examples.stream()
                .anyMatch(one -> one.gates().equals(edge.gates())
                        && one.held()
                                .access()
                                .sent()
                                .caller()
                                .equals(edge.held().access().sent().caller())
                        && one.wanted()
                                .access()
                                .sent()
                                .caller()
                                .equals(edge.wanted().access().sent().caller())
                        && one.held().strength() == edge.held().strength()
                        && one.wanted().strength() == edge.wanted().strength());
        if (!known && examples.size() < MOST_EXAMPLES) {
            examples.add(edge);
            count++;
        }
        List<Edge> path = new ArrayList<>(List.of(edge));
        close(path);
    }

    /** Goes on from the end of the path, and reports the first cycle that could really be one. */
    private boolean close(List<Edge> path) {
        Edge last = path.get(path.size() - 1);
        for (List<Edge> examples : edges.getOrDefault(last.to(), Map.of()).values()) {
            for (Edge next : examples) {
                if (!fits(path, next)) {
                    continue;
                }
                path.add(next);
                if (next.to().equals(path.get(0).from())) {
                    if (waits(next, path.get(0))) {
                        report(path);
                        return true;
                    }
                } else if (path.size() < LONGEST_CYCLE && close(path)) {
                    return true;
                }
                path.remove(path.size() - 1);
            }
        }
        return false;
    }

    private static boolean fits(List<Edge> path, Edge next) {
        boolean apart = path.stream()
                .allMatch(edge -> edge.transaction() != next.transaction()
                        && !edge.from().equals(next.from())
                        && Collections.disjoint(edge.gates(), next.gates()));
        return apart && waits(path.get(path.size() - 1), next);
    }

    private static boolean waits(Edge edge, Edge next) {
        return edge.wanted().strength().conflictsWith(next.held().strength());
    }

    private void report(List<Edge> cycle) {
        // The same cycle can be closed by any of its edges: it begins with the smallest name.
        List<Edge> ordered = new ArrayList<>(cycle);
        int first = 0;
        for (int i = 1; i < ordered.size(); i++) {
            first = ordered.get(i).from().compareTo(ordered.get(first).from()) < 0 ? i : first;
        }
        Collections.rotate(ordered, -first);
        String what = ordered.stream()
                .map(edge -> "one transaction locks " + edge.from() + " and then " + edge.to())
                .collect(Collectors.joining(", "));
        Access[] accesses = ordered.stream()
                .flatMap(edge -> List.of(edge.held().access(), edge.wanted().access()).stream())
                .toArray(Access[]::new);
        findings.add(Hazard.LOCK_ORDER, ordered.get(0).held().table(), what, accesses);
    }
}
