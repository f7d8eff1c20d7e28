package dev.rowlock.jpa;

import dev.rowlock.Lock;
import dev.rowlock.jpa.EntityTables.KeyedTable;
import dev.rowlock.jpa.EntityTables.Place;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/** Writes the statements that lock the rows of entities by their keys. */
final class LockSql {
    private LockSql() {}

    /**
     * One SELECT that locks all rows of this many entities and returns the keys it has found, with the parameters of each entity's
     * key in turn, once for each place.
     */
    static String of(EntityTables tables, int ids, Lock lock) {
        List<Place> places = tables.places();
        if (places.size() == 1) {
            return of(places.get(0), ids, lock);
        }
        // A locking clause is refused on a UNION and welcome inside of it. The parts are run one after the other.
        return places.stream()
                .map(place -> "SELECT * FROM (" + of(place, ids, lock) + ") AS p")
                .collect(Collectors.joining(" UNION ALL "));
    }

    private static String of(Place place, int ids, Lock lock) {
        String root = keys(place.root(), ids, lock);
        if (place.others().isEmpty()) {
            return root;
        }
        StringBuilder selected = new StringBuilder("SELECT r.*");
        StringBuilder joined = new StringBuilder(" FROM (").append(root).append(") AS r");
        int number = 0;
        for (KeyedTable other : place.others()) {
            String alias = "t" + ++number;
            selected.append(", ").append(alias).append(".held");
            joined.append(" LEFT JOIN LATERAL (SELECT 1 AS held FROM ")
                    .append(other.name())
                    .append(" AS o WHERE ")
                    .append(matches(other, place.root()))
                    .append(' ')
                    .append(waiting(lock))
                    .append(") AS ")
                    .append(alias)
                    .append(" ON true");
        }
        return selected.append(joined).toString();
    }

    /**
     * Locks what belongs to entities whose root rows are locked already; empty if there is nothing else. Only for a single place.
     */
    static String ofOthers(EntityTables tables, int ids, Lock lock) {
        Place place = tables.places().get(0);
        return place.others().isEmpty() ? "" : of(place, ids, lock);
    }

    private static String keys(KeyedTable table, int ids, Lock lock) {
        String columns = table.columns("");
        boolean single = table.key().size() == 1;
        String marks = single
                ? "?"
                : "(" + String.join(", ", Collections.nCopies(table.key().size(), "?")) + ")";
        String left = single ? columns : "(" + columns + ")";
        String condition = ids == 1
                ? left + " = " + marks
                : left + " IN (" + String.join(", ", Collections.nCopies(ids, marks)) + ")";
        return "SELECT " + columns + " FROM " + table.name() + " WHERE " + condition
                + (ids == 1 ? " " : " ORDER BY " + columns + " ") + lock.sql("");
    }

    private static String matches(KeyedTable other, KeyedTable root) {
        StringBuilder condition = new StringBuilder();
        for (int i = 0; i < root.key().size(); i++) {
            condition
                    .append(i == 0 ? "o." : " AND o.")
                    .append(other.key().get(i))
                    .append(" = r.")
                    .append(root.key().get(i));
        }
        return condition.toString();
    }

    /** Skipping a part of an entity whose root row is locked would hand out half a lock: such a part is waited for. */
    private static String waiting(Lock lock) {
        String clause = lock.sql("");
        return lock.skips() ? clause.replace(" SKIP LOCKED", "") : clause;
    }
}
