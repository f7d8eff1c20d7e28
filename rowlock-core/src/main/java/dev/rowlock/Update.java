package dev.rowlock;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * A guarded change of one row: one {@code UPDATE} that carries its own conditions, so that nobody can come between the check and
 * the write. Made by {@link Tx#update} and {@link Rowlock#update}; collects the change and sends it once.
 *
 * <pre>{@code
 * tx.update(PRODUCTS, id).add("stock", -2).onlyIf("stock >= ?", 2).apply();  // Applied, Refused or Missing
 * tx.update(PRODUCTS, id).set("price", 90).ifVersion(7).apply();              // Applied, Stale or Missing
 * }</pre>
 *
 * <p>Only the named columns are written. If the table has a version column, it is raised by one in the database, whatever else
 * the change is; see {@link #keepVersion()}.
 *
 * <p>Another writer of the same row makes this wait up to the lock timeout; the conditions are then judged on the row as the
 * other one left it. Where they hold, this costs one round trip. Where they do not, one more to read the current row.
 */
public final class Update {
    private final Sender sender;
    private final Table table;
    private final Key key;
    private final Set<String> columns = new HashSet<>();
    private final StringJoiner assignments = new StringJoiner(", ");
    private final List<@Nullable Object> values = new ArrayList<>();
    private final StringJoiner guard = new StringJoiner(" AND ");
    private final List<@Nullable Object> guardValues = new ArrayList<>();
    private @Nullable Long expectedVersion;
    private boolean keepVersion;
    private @Nullable RowPlace place;
    private boolean sent;

    /** Where the change goes: into an open transaction, or into one of its own. */
    interface Sender {
        /** Throws {@link IllegalStateException} if nothing can be sent any more. */
        void check();

        Write send(GuardedUpdate update);
    }

    Update(Sender sender, Table table, Key key) {
        this.sender = sender;
        this.table = table;
        this.key = key;
    }

    /**
     * Writes the value into the column.
     *
     * @throws IllegalArgumentException if the column is part of the key, the version, or already has a change
     */
    public Update set(String column, @Nullable Object value) {
        claim(column);
        assignments.add(Identifiers.quote(column) + " = ?");
        values.add(value);
        return this;
    }

    /**
     * Adds the amount, which may be negative, to what the column holds at the time of the write. A result that does not fit the
     * column's type is a {@link DatabaseException} (22003).
     *
     * @throws IllegalArgumentException if the column is part of the key, the version, or already has a change
     */
    public Update add(String column, Number amount) {
        claim(column);
        String quoted = Identifiers.quote(column);
        assignments.add(quoted + " = " + quoted + " + ?");
        values.add(amount);
        return this;
    }

    /**
     * Makes the change only if this SQL condition on the row's present columns is true (not NULL). May be called several times:
     * all must hold.
     *
     * @param condition SQL of the program, never of a user; {@code ?} for each value
     * @throws IllegalArgumentException if the numbers of {@code ?} and of values differ
     */
    public Update onlyIf(String condition, @Nullable Object... conditionValues) {
        Placeholders.check(() -> "onlyIf on " + describe(), condition, conditionValues.length);
        guard.add("(" + condition + ")");
        for (Object value : conditionValues) {
            guardValues.add(value);
        }
        return this;
    }

    /**
     * Makes the change only if the row still has the version that the client had read.
     *
     * @throws IllegalArgumentException if the version is null: a client that sends none must be refused, not let through
     * @throws IllegalStateException if the table was declared without a version column, or the method was called before
     */
    public Update ifVersion(@Nullable Long version) {
        if (table.version() == null) {
            throw new IllegalStateException("ifVersion on " + describe()
                    + ": the table was declared without a version column; see Table.withVersion");
        }
        if (version == null) {
            throw new IllegalArgumentException("ifVersion on " + describe() + ": the version is missing");
        }
        if (expectedVersion != null) {
            throw new IllegalStateException("ifVersion on " + describe() + " was called twice");
        }
        expectedVersion = version;
        return this;
    }

    /** As {@link #ifVersion(Long)}. */
    public Update ifVersion(long version) {
        return ifVersion(Long.valueOf(version));
    }

    /**
     * Leaves the version as it is. Only for columns that no editor of the row ever writes, such as a time of last use: an edit
     * based on the same version will not notice this change.
     *
     * @throws IllegalStateException if the table was declared without a version column
     */
    public Update keepVersion() {
        if (table.version() == null) {
            throw new IllegalStateException(
                    "keepVersion on " + describe() + ": the table was declared without a version column");
        }
        keepVersion = true;
        return this;
    }

    /**
     * Looks for the row where it lay when it was last written with this hint, and learns from what is found. For rows that are written
     * many times a second, which otherwise get slow while a session holds an old snapshot. If the row lies elsewhere by now, that
     * costs one round trip more, and is tried ever more rarely.
     *
     * <p>Plain tables only, and with the right to read all of their columns: on a view or a foreign table the update is a
     * {@link DatabaseException} (42703). In a race of the prover leave it away: what is remembered from one order of steps would change
     * the next.
     */
    public Update near(RowPlace hint) {
        place = hint;
        return this;
    }

    /**
     * Sends the change.
     *
     * @return what became of it; if it is not {@link Write.Applied}, nothing was changed
     * @throws LockTimeoutException if another transaction holds the row for too long
     * @throws DatabaseException if the database refuses the statement, for example because a constraint is broken
     * @throws IllegalStateException if there is nothing to change, the update was applied before, the table's key is not unique,
     *     or a trigger or policy keeps the row from being changed
     */
    @CheckReturnValue
    public Write apply() {
        sender.check();
        if (sent) {
            throw new IllegalStateException("update of " + describe() + " was applied before; make a new one");
        }
        boolean raisesVersion = table.version() != null && !keepVersion;
        if (columns.isEmpty() && !raisesVersion) {
            throw new IllegalStateException("update of " + describe() + " changes nothing; call set or add");
        }
        sent = true;
        return sender.send(new GuardedUpdate(
                table,
                key,
                assignments.toString(),
                values,
                guard.toString(),
                guardValues,
                expectedVersion,
                raisesVersion,
                place));
    }

    private void claim(String column) {
        Identifiers.check("column of " + table, column);
        if (table.key().contains(column)) {
            throw new IllegalArgumentException("update of " + describe() + ": column " + column
                    + " is part of the key; delete the row and insert another");
        }
        if (column.equals(table.version())) {
            throw new IllegalArgumentException(
                    "update of " + describe() + ": the version " + column + " is raised by the database alone");
        }
        if (!columns.add(column)) {
            throw new IllegalArgumentException("update of " + describe() + ": column " + column + " is given twice");
        }
    }

    private String describe() {
        return table + " " + key;
    }
}
