package dev.rowlock.watch;

import dev.rowlock.watch.internal.LockScan;
import dev.rowlock.watch.internal.SqlTokens;
import java.util.List;

/**
 * A clause of a query that locks the rows that it gives, such as {@code FOR UPDATE OF o SKIP LOCKED}.
 *
 * @param strength how strongly
 * @param whenTaken what happens at a row that another transaction has locked
 * @param of the tables, by the names that they have in the query, whose rows are locked; empty for all. A name without quotes is in lower
 *     case, as PostgreSQL reads it
 */
public record LockClause(Strength strength, WhenTaken whenTaken, List<String> of) {
    /** How strongly rows are locked, the strongest first. */
    public enum Strength {
        /** Against every other lock: as a DELETE does, or an UPDATE of a key. */
        FOR_UPDATE,
        /** Against all but {@link #FOR_KEY_SHARE}: as an UPDATE of anything else does. */
        FOR_NO_KEY_UPDATE,
        /** Against those who write. */
        FOR_SHARE,
        /** Against those who delete the row or change its key: as a foreign key does. */
        FOR_KEY_SHARE;

        /** Whether a transaction that wants this one waits for another that has the other one on the same row. */
        public boolean conflictsWith(Strength other) {
            return switch (this) {
                case FOR_UPDATE -> true;
                case FOR_NO_KEY_UPDATE -> other != FOR_KEY_SHARE;
                case FOR_SHARE -> other == FOR_UPDATE || other == FOR_NO_KEY_UPDATE;
                case FOR_KEY_SHARE -> other == FOR_UPDATE;
            };
        }

        /** Whether it keeps others from locking the row in the same way. */
        public boolean isExclusive() {
            return conflictsWith(this);
        }
    }

    /** What happens at a row that another transaction has locked. */
    public enum WhenTaken {
        /** It is waited for. */
        WAIT,
        /** The statement fails with SQLSTATE 55P03. */
        NOWAIT,
        /** The row is left out of the result. */
        SKIP_LOCKED
    }

    public LockClause {
        of = List.copyOf(of);
    }

    /**
     * All lock clauses in a text, in its order, those of subqueries and common table expressions too. The text is cut by PostgreSQL's
     * lexical rules and need not be understood otherwise, so that nothing is overlooked that no parser knows. Not seen is what stands
     * within string constants, the bodies of functions and of DO for instance, and a clause counts where it is only defined: in
     * {@code CREATE VIEW} or {@code PREPARE}.
     */
    public static List<LockClause> in(String sql) {
        return LockScan.of(SqlTokens.of(sql)).stream().map(LockClause::of).toList();
    }

    /** For the trace, which wants to know more of a clause besides. */
    public static LockClause of(LockScan.Found found) {
        return new LockClause(
                Strength.valueOf("FOR_" + found.strength().replace(' ', '_')),
                found.whenTaken().isEmpty()
                        ? WhenTaken.WAIT
                        : WhenTaken.valueOf(found.whenTaken().replace(' ', '_')),
                found.of());
    }

    /** As it is written in SQL, names without quotes. */
    @Override
    public String toString() {
        return strength.name().replace('_', ' ')
                + (of.isEmpty() ? "" : " OF " + String.join(", ", of))
                + (whenTaken == WhenTaken.WAIT ? "" : " " + whenTaken.name().replace('_', ' '));
    }
}
