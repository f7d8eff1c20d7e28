package dev.rowlock.watch.audit;

import dev.rowlock.watch.LockClause.Strength;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The locks of a transaction in the order in which it took them, as far as statements name rows. */
final class HeldLocks {
    /** More rows of one statement are not followed. */
    private static final int MOST_ROWS = 200;

    private final Map<String, Lock> locks = new LinkedHashMap<>();

    /**
     * A lock on a row, or on unknown rows of a table.
     *
     * @param node the row in words, or the table
     */
    record Lock(String node, String table, Strength strength, Access access) {}

    List<Lock> all() {
        return List.copyOf(locks.values());
    }

    boolean holdsTable(String table) {
        return locks.values().stream().anyMatch(lock -> lock.table().equals(table));
    }

    boolean holds(Lock wanted) {
        Lock held = locks.get(wanted.node());
        return held != null && held.strength().compareTo(wanted.strength()) <= 0;
    }

    void take(Lock lock) {
        locks.putIfAbsent(lock.node(), lock);
    }

    /** What a statement locks on the table: a row each if it names them by one column, otherwise the table. */
    static List<Lock> wanted(Access access, String table, Strength strength) {
        Map<String, Set<String>> keys = new TreeMap<>(access.keys(table));
        List<Lock> wanted = new ArrayList<>();
        boolean single = keys.values().stream().allMatch(values -> values.size() == 1);
        if (!keys.isEmpty() && single) {
            wanted.add(new Lock(table + keys, table, strength, access));
        } else if (keys.size() == 1) {
            keys.forEach((column, values) -> values.stream()
                    .limit(MOST_ROWS)
                    .forEach(value ->
                            wanted.add(new Lock(table + Map.of(column, Set.of(value)), table, strength, access))));
        }
        if (wanted.isEmpty()) {
            wanted.add(new Lock(table, table, strength, access));
        }
        return wanted;
    }
}
