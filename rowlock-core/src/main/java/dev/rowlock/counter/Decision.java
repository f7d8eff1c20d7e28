package dev.rowlock.counter;

import dev.rowlock.Key;
import dev.rowlock.Row;
import dev.rowlock.Tx;
import dev.rowlock.Update;
import dev.rowlock.Write;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Decides requests one after another on rows that it holds, and writes each row once: everything that happens in the transaction. */
final class Decision {
    private static final String HOLDS = "rowlock.holds";

    private final Rules rules;
    private final Tx tx;

    Decision(Rules rules, Tx tx) {
        this.rules = rules;
        this.tx = tx;
    }

    /**
     * Changes of one row as one statement, if all of them can be made, or if none can. Empty if that cannot be said without holding
     * the row.
     *
     * @param places where the row may lie
     */
    Optional<List<Outcome>> together(List<Request> requests, Places places) {
        Key key = requests.get(0).parts().get(0).key();
        long sum = 0;
        long lowest = Long.MAX_VALUE;
        long highest = Long.MIN_VALUE;
        for (Request request : requests) {
            long delta = request.parts().get(0).delta();
            long next = sum + delta;
            if (((sum ^ next) & (delta ^ next)) < 0) {
                return Optional.empty();
            }
            sum = next;
            lowest = Math.min(lowest, sum);
            highest = Math.max(highest, sum);
        }
        Optional<Update> update = sum == 0
                ? Optional.empty()
                : GuardedChange.complete(
                        rules, places.forMany(rules, key, tx.update(rules.table(), key)), sum, lowest, highest);
        if (update.isEmpty()) {
            return Optional.empty();
        }
        Write write = update.get().apply();
        if (write instanceof Write.Applied applied) {
            return Optional.of(decide(requests, Map.of(key, Tally.before(rules, key, applied.row(), sum)), Set.of()));
        }
        if (write instanceof Write.Refused refused) {
            // What is refused needs no lock: each of them was to be refused at the time of this reading.
            Tally found = new Tally(rules, key, refused.current(), true);
            boolean none = requests.stream()
                    .allMatch(request -> found.refusal(request.parts().get(0).delta()) != null);
            return none ? Optional.of(decide(requests, Map.of(key, found), Set.of())) : Optional.empty();
        }
        return Optional.of(decide(requests, Map.of(), Set.of()));
    }

    /**
     * Holds all rows, in key order, decides and writes.
     *
     * @param wait whether to wait for rows that another transaction holds; else the requests on them are deferred, and those behind
     *     them on the same rows
     */
    List<Outcome> oneByOne(List<Request> requests, boolean wait) {
        Set<Key> keys = new LinkedHashSet<>();
        requests.forEach(request -> request.parts().forEach(part -> keys.add(part.key())));
        Map<Key, Tally> tallies = new HashMap<>();
        Map<Key, RuntimeException> broken = new HashMap<>();
        Set<Key> found = new HashSet<>();
        for (Row row : lock(keys, wait)) {
            Key key = new Key(rules.table().key().stream()
                    .map(column -> keyValue(row, column))
                    .toList());
            found.add(key);
            try {
                tallies.put(key, new Tally(rules, key, row, isTrue(row)));
            } catch (IllegalStateException e) {
                broken.put(
                        key,
                        new IllegalStateException("row " + key + " of " + rules.table() + ": " + e.getMessage(), e));
            }
        }
        Set<Key> heldElsewhere = new HashSet<>();
        if (!wait) {
            heldElsewhere.addAll(keys);
            heldElsewhere.removeAll(found);
        }
        List<Outcome> outcomes = decide(requests, tallies, heldElsewhere, broken);
        write(tallies);
        return outcomes;
    }

    private static Object keyValue(Row row, String column) {
        Object value = row.get(column, Object.class);
        if (value == null) {
            throw new IllegalStateException("a row was found by a key that is NULL");
        }
        return value;
    }

    private boolean isTrue(Row row) {
        return rules.conditions().isEmpty() || row.getBoolean(HOLDS);
    }

    private List<Row> lock(Collection<Key> keys, boolean wait) {
        List<String> columns = rules.table().key();
        List<@Nullable Object> values = new ArrayList<>();
        StringJoiner select = new StringJoiner(", ");
        rules.readColumns().forEach(column -> select.add("t." + Sql.quote(column)));
        String condition = rules.conditionSql();
        if (condition != null) {
            select.add("(" + condition + ") IS TRUE AS \"" + HOLDS + "\"");
            rules.conditionValues().forEach(values::add);
        }
        values.addAll(Sql.keyArrays(rules.table(), keys));
        String order = columns.stream().map(column -> "t." + Sql.quote(column)).collect(Collectors.joining(", "));
        String sql = """
                SELECT %s
                FROM %s AS t
                %s
                ORDER BY %s
                FOR NO KEY UPDATE OF t%s""".formatted(
                        select,
                        Sql.name(rules.table()),
                        columns.size() == 1
                                ? "WHERE t." + Sql.quote(columns.get(0)) + " = ANY (?)"
                                : "JOIN unnest(" + marks(columns.size()) + ") AS wanted (" + names(columns.size())
                                        + ") ON " + matches("wanted"),
                        order,
                        wait ? "" : " SKIP LOCKED");
        return tx.query(sql, values.toArray());
    }

    private List<Outcome> decide(List<Request> requests, Map<Key, Tally> tallies, Set<Key> heldElsewhere) {
        return decide(requests, tallies, heldElsewhere, Map.of());
    }

    private List<Outcome> decide(
            List<Request> requests,
            Map<Key, Tally> tallies,
            Set<Key> heldElsewhere,
            Map<Key, RuntimeException> broken) {
        Set<Key> deferred = new HashSet<>(heldElsewhere);
        List<Outcome> outcomes = new ArrayList<>(requests.size());
        for (Request request : requests) {
            if (!deferred.isEmpty() && request.keys().stream().anyMatch(deferred::contains)) {
                // Who comes later must not overtake it on its other rows either.
                deferred.addAll(request.keys());
                outcomes.add(Outcome.DEFERRED);
                continue;
            }
            RuntimeException error = request.parts().stream()
                    .map(part -> broken.get(part.key()))
                    .filter(one -> one != null)
                    .findFirst()
                    .orElse(null);
            outcomes.add(error == null ? Outcome.of(decide(request, tallies)) : Outcome.failed(error));
        }
        return outcomes;
    }

    private Changes decide(Request request, Map<Key, Tally> tallies) {
        List<Change.Missing> missing = new ArrayList<>();
        List<Change.Refused> refused = new ArrayList<>();
        for (Request.Part part : request.parts()) {
            Tally tally = tallies.get(part.key());
            if (tally == null) {
                missing.add(new Change.Missing(rules.table(), part.key()));
                continue;
            }
            Change.Refused refusal = tally.refusal(part.delta());
            if (refusal != null) {
                refused.add(refusal);
            }
        }
        if (!missing.isEmpty()) {
            return new Changes.Missing(missing);
        }
        if (!refused.isEmpty()) {
            return new Changes.Refused(refused);
        }
        List<Change.Applied> applied = new ArrayList<>();
        for (Request.Part part : request.parts()) {
            Tally tally = tallies.get(part.key());
            if (tally != null) {
                applied.add(tally.apply(part.delta()));
            }
        }
        return new Changes.Applied(applied);
    }

    /** What was decided stands on rows that are held, so it is written as it is. */
    private void write(Map<Key, Tally> tallies) {
        Map<Key, Tally> changed = new HashMap<>(tallies);
        changed.values().removeIf(tally -> !tally.isChanged());
        if (changed.isEmpty()) {
            return;
        }
        List<Key> keys = new ArrayList<>(changed.keySet());
        List<Column> columns = rules.columns();
        int width = rules.table().key().size();
        List<@Nullable Object> values = new ArrayList<>(Sql.keyArrays(rules.table(), keys));
        StringJoiner set = new StringJoiner(", ");
        for (int i = 0; i < columns.size(); i++) {
            int index = i;
            set.add(Sql.quote(columns.get(i).name()) + " = decided.rowlock_" + (width + i));
            values.add(
                    keys.stream().map(key -> tally(changed, key).amount(index)).toArray(Long[]::new));
        }
        String version = rules.table().version();
        if (version != null) {
            set.add(Sql.quote(version) + " = t." + Sql.quote(version) + " + 1");
        }
        String sql = """
                UPDATE %s AS t
                SET %s
                FROM unnest(%s) AS decided (%s)
                WHERE %s""".formatted(
                        Sql.name(rules.table()),
                        set,
                        marks(width + columns.size()),
                        names(width + columns.size()),
                        matches("decided"));
        int written = tx.execute(sql, values.toArray());
        if (written != keys.size()) {
            throw new IllegalStateException(
                    "a change of " + keys.size() + " rows of " + rules.table() + " that are held changed "
                            + written + "; is there a trigger, rule or row security policy, or is the key "
                            + rules.table().key()
                            + " not unique?");
        }
    }

    private static Tally tally(Map<Key, Tally> tallies, Key key) {
        Tally tally = tallies.get(key);
        if (tally == null) {
            throw new IllegalStateException("row " + key + " was not read");
        }
        return tally;
    }

    private String matches(String other) {
        StringJoiner joiner = new StringJoiner(" AND ");
        List<String> columns = rules.table().key();
        for (int i = 0; i < columns.size(); i++) {
            joiner.add("t." + Sql.quote(columns.get(i)) + " = " + other + ".rowlock_" + i);
        }
        return joiner.toString();
    }

    private static String marks(int number) {
        String[] marks = new String[number];
        Arrays.fill(marks, "?");
        return String.join(", ", marks);
    }

    private static String names(int number) {
        StringJoiner joiner = new StringJoiner(", ");
        for (int i = 0; i < number; i++) {
            joiner.add("rowlock_" + i);
        }
        return joiner.toString();
    }
}
