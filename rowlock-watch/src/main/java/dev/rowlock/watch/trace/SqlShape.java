package dev.rowlock.watch.trace;

import dev.rowlock.watch.LockClause;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What can be told of one statement from its text.
 *
 * @param sql the text, without the semicolon behind it
 * @param verb what it does
 * @param parsed whether the parser understood it. If not, its verb, its locks and the tables that it names are still told, and
 *     {@link #where}, {@link #assignments} and {@link #traits} are empty
 * @param locks its lock clauses and what they lock, in the order of the text
 * @param tables the tables that it reads or writes, without names of common table expressions
 * @param target the table that it writes
 * @param where the condition of the statement itself, not of queries inside
 * @param assignments what an UPDATE sets
 * @param traits what else there is to say
 * @param form the text with every constant replaced by a question mark: the same for statements that differ in values only
 */
public record SqlShape(
        String sql,
        Verb verb,
        boolean parsed,
        List<Locked> locks,
        List<String> tables,
        Optional<String> target,
        Where where,
        List<Assignment> assignments,
        Set<Trait> traits,
        String form) {
    /** What a statement does. */
    public enum Verb {
        SELECT,
        INSERT,
        UPDATE,
        DELETE,
        MERGE,
        /** {@code BEGIN} or {@code START TRANSACTION}. */
        BEGIN,
        /** {@code COMMIT} or {@code END}. */
        COMMIT,
        /** {@code ROLLBACK} or {@code ABORT}, not to a savepoint. */
        ROLLBACK,
        /** Anything else. */
        OTHER
    }

    /** What else is to be known of a statement. */
    public enum Trait {
        /** It has a LIMIT, or FETCH FIRST. */
        LIMITED,
        /** It has an ORDER BY. */
        ORDERED,
        /** It comes to a count, another aggregate or an EXISTS over a query inside. */
        SUMS_UP_A_QUERY,
        /** A common table expression of it writes. */
        WRITES_INSIDE,
        /** An INSERT with ON CONFLICT. */
        ON_CONFLICT
    }

    /**
     * A lock clause.
     *
     * @param clause as it stands there
     * @param tables whose rows it locks, by their own names
     * @param inside whether it belongs to a query inside the statement
     */
    public record Locked(LockClause clause, List<String> tables, boolean inside) {
        public Locked {
            tables = List.copyOf(tables);
        }
    }

    /**
     * A condition: parts that are connected by AND.
     *
     * @param keys the parts that say which values a column has
     * @param others how many other parts there are
     * @param columns all columns that are named anywhere in it
     */
    public record Where(List<Equals> keys, int others, Set<String> columns) {
        /** No condition. */
        static final Where NONE = new Where(List.of(), 0, Set.of());

        public Where {
            keys = List.copyOf(keys);
            columns = Set.copyOf(columns);
        }

        /** Whether there is no condition at all. */
        public boolean isEmpty() {
            return keys.isEmpty() && others == 0;
        }
    }

    /**
     * {@code column = value}, {@code column IN (values)} or {@code column = ANY (array)}.
     *
     * @param table that the column belongs to; empty if that cannot be told
     * @param values constants, or places of parameters in the whole text that was sent
     */
    public record Equals(Optional<String> table, String column, List<Operand> values) {
        public Equals {
            values = List.copyOf(values);
        }
    }

    /**
     * A value in a condition.
     *
     * @param parameter the number of its question mark, counted from 1; 0 for a constant
     * @param constant the constant without its quotes, or empty
     * @param array whether it is an array of values
     */
    public record Operand(int parameter, String constant, boolean array) {}

    /**
     * What an UPDATE sets a column to.
     *
     * @param column in lower case unless it is quoted
     * @param byTheDatabase whether the database works the value out of what it finds or by itself, so that no value comes from the program
     *     in place of one that another has written: {@code n - ?}, {@code now()}, but not {@code ?} or a constant
     */
    public record Assignment(String column, boolean byTheDatabase) {}

    public SqlShape {
        locks = List.copyOf(locks);
        tables = List.copyOf(tables);
        assignments = List.copyOf(assignments);
        traits = Set.copyOf(traits);
    }

    /** Whether it has this trait. */
    public boolean is(Trait trait) {
        return traits.contains(trait);
    }

    /** Whether it writes rows of a table. */
    public boolean writes() {
        return verb == Verb.INSERT || verb == Verb.UPDATE || verb == Verb.DELETE || verb == Verb.MERGE;
    }
}
