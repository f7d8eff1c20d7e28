package dev.rowlock;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * What an {@link Update} has collected, and how it is sent.
 *
 * @param assignments for SET, without the version; may be empty
 * @param guard conditions joined by AND; may be empty
 * @param expectedVersion the version that the row must have, or null if any will do
 * @param place where to look first, and to be told where the row lies; null if that is not asked for
 */
record GuardedUpdate(
        Table table,
        Key key,
        String assignments,
        List<@Nullable Object> values,
        String guard,
        List<@Nullable Object> guardValues,
        @Nullable Long expectedVersion,
        boolean raisesVersion,
        @Nullable RowPlace place) {
    /** How often a change is tried when its conditions hold again just after they had not; the last time under a lock. */
    private static final int MAX_ROUNDS = 4;

    private static final String GUARD_HOLDS = "rowlock.guard";
    private static final String PLACE = "rowlock.place";

    /** In a transaction of several statements. */
    Write applyIn(Tx tx, TxScope scope) {
        Optional<Write> near = near(scope);
        if (near.isPresent()) {
            return near.get();
        }
        SqlRequest update = updateRequest(null);
        for (int round = 1; round <= MAX_ROUNDS; round++) {
            Optional<Write> result = round(tx, scope, update, round == MAX_ROUNDS - 1);
            if (result.isPresent()) {
                return result.get();
            }
            // Another writer changed the row back between our two statements: the conditions hold now, so try again.
        }
        throw tx.doom(new IllegalStateException("update of " + describe()
                + " changes no row although its conditions hold; is there a trigger, rule or row security policy?"));
    }

    /**
     * By a statement that commits by itself. Empty if the conditions did not hold and then did: that can only be settled under a
     * lock, so in a transaction.
     */
    Optional<Write> applyAlone(Tx tx, TxScope scope) {
        Optional<Write> near = near(scope);
        return near.isPresent() ? near : round(tx, scope, updateRequest(null), false);
    }

    /** Empty if nothing was changed, for whatever reason: then the key decides. */
    private Optional<Write> near(TxScope scope) {
        String at = place == null ? null : place.toTry();
        if (place == null || at == null) {
            return Optional.empty();
        }
        List<Row> changed = scope.lock(updateRequest(at), Lock.Strength.NO_KEY_UPDATE);
        if (changed.isEmpty()) {
            place.missed();
            return Optional.empty();
        }
        return Optional.of(applied(changed.get(0), true));
    }

    private Write applied(Row row, boolean byPlace) {
        if (place == null) {
            return new Write.Applied(row);
        }
        place.found(row.getString(PLACE), byPlace);
        return new Write.Applied(row.without(PLACE));
    }

    private Optional<Write> round(Tx tx, TxScope scope, SqlRequest update, boolean lockToRead) {
        List<Row> changed = scope.lock(update, Lock.Strength.NO_KEY_UPDATE);
        if (changed.size() == 1) {
            return Optional.of(applied(changed.get(0), false));
        }
        if (changed.size() > 1) {
            throw tx.doom(new IllegalStateException("update of " + describe() + " changed " + changed.size()
                    + " rows; the key columns " + table.key() + " must be unique"));
        }
        return Optional.ofNullable(whyNot(scope, lockToRead));
    }

    /** @param at a place at which the row must lie, or null for wherever it lies */
    SqlRequest updateRequest(@Nullable String at) {
        List<@Nullable Object> parameters = new ArrayList<>(values);
        StringJoiner set = new StringJoiner(", ");
        if (!assignments.isEmpty()) {
            set.add(assignments);
        }
        if (raisesVersion) {
            set.add(versionColumn() + " = " + versionColumn() + " + 1");
        }
        StringBuilder sql = new StringBuilder("UPDATE ")
                .append(table.sqlName())
                .append(" SET ")
                .append(set)
                .append(" WHERE ")
                .append(table.sqlKeyEquals());
        parameters.addAll(key.values());
        if (expectedVersion != null) {
            sql.append(" AND ").append(versionColumn()).append(" = ?");
            parameters.add(expectedVersion);
        }
        if (!guard.isEmpty()) {
            sql.append(" AND ").append(guard);
            parameters.addAll(guardValues);
        }
        if (at != null) {
            sql.append(" AND ctid = ?::tid");
            parameters.add(at);
        }
        sql.append(" RETURNING *");
        if (place != null) {
            sql.append(", ctid::text AS \"").append(PLACE).append('"');
        }
        sql.append(RowReader.SELECT_XID);
        return new SqlRequest(() -> "update of " + describe(), table, sql.toString(), parameters);
    }

    /** Reads the row that the update did not match and says why, or null if the conditions hold now. */
    private @Nullable Write whyNot(TxScope scope, boolean underLock) {
        String sql = "SELECT *" + (guard.isEmpty() ? "" : ", (" + guard + ") IS TRUE AS \"" + GUARD_HOLDS + "\"")
                + " FROM " + table.sqlName() + " WHERE " + table.sqlKeyEquals()
                + (underLock ? " " + Lock.forNoKeyUpdate().sql("") : "");
        List<@Nullable Object> parameters = new ArrayList<>(guardValues);
        parameters.addAll(key.values());
        List<Row> rows = scope.query(new SqlRequest(() -> "read of " + describe(), table, sql, parameters));
        if (rows.isEmpty()) {
            scope.conflict(table, RowlockListener.ConflictKind.MISSING);
            return new Write.Missing(table, key);
        }
        Row found = rows.get(0);
        boolean holds = guard.isEmpty() || found.getBoolean(GUARD_HOLDS);
        Row current = found.without(GUARD_HOLDS);
        if (expectedVersion != null && current.version() != expectedVersion) {
            scope.conflict(table, RowlockListener.ConflictKind.STALE);
            return new Write.Stale(current, expectedVersion);
        }
        if (!holds) {
            scope.conflict(table, RowlockListener.ConflictKind.REFUSED);
            return new Write.Refused(current, guard);
        }
        return null;
    }

    private String versionColumn() {
        String column = table.version();
        if (column == null) {
            throw new IllegalStateException(describe() + " has no version column");
        }
        return Identifiers.quote(column);
    }

    private String describe() {
        return table + " " + key;
    }
}
