package dev.rowlock.watch.audit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Who writes a table under a lock, and who on a read without one. */
final class Paths {
    private static final int MOST_TABLES = 1_000;
    private static final int MOST_PATHS = 50;

    private final Findings findings;
    private final Map<String, List<Path>> locked = new HashMap<>();
    private final Map<String, List<Path>> unlocked = new HashMap<>();

    /**
     * A way through the program.
     *
     * @param first the lock, or the read
     */
    private record Path(Access first, Access write) {
        boolean isSame(Path other) {
            return isSame(first, other.first) && isSame(write, other.write);
        }

        private static boolean isSame(Access one, Access other) {
            return one.sent().caller().equals(other.sent().caller())
                    && one.part().shape().form().equals(other.part().shape().form());
        }
    }

    Paths(Findings findings) {
        this.findings = findings;
    }

    void locked(String table, Access lock, Access write) {
        Path path = new Path(lock, write);
        if (add(locked, table, path)) {
            unlocked.getOrDefault(table, List.of()).forEach(other -> report(table, path, other));
        }
    }

    void unlocked(String table, Access read, Access write) {
        Path path = new Path(read, write);
        if (add(unlocked, table, path)) {
            locked.getOrDefault(table, List.of()).forEach(other -> report(table, other, path));
        }
    }

    private static boolean add(Map<String, List<Path>> known, String table, Path path) {
        if (known.size() >= MOST_TABLES && !known.containsKey(table)) {
            return false;
        }
        List<Path> paths = known.computeIfAbsent(table, any -> new ArrayList<>());
        if (paths.size() >= MOST_PATHS || paths.stream().anyMatch(path::isSame)) {
            return false;
        }
        return paths.add(path);
    }

    private void report(String table, Path with, Path without) {
        findings.add(
                Hazard.ONE_PATH_LOCKS,
                table,
                "one path locks rows of " + table
                        + " before it writes them, another writes them after an unlocked read",
                with.first(),
                with.write(),
                without.first(),
                without.write());
    }
}
