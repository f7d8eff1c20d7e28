package dev.rowlock.jpa;

import dev.rowlock.Lock;
import dev.rowlock.jpa.EntityTables.KeyedTable;
import dev.rowlock.jpa.EntityTables.Place;
import dev.rowlock.watch.LockClause;
import dev.rowlock.watch.LockClause.WhenTaken;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the next query of this thread must lock. Hibernate is asked for a query of ids, and the clause that locks is put behind its SQL
 * on the way out: where Hibernate puts one by itself it has no words for all strengths, and for some queries it reads first and locks
 * afterwards. What is sent then, past every other inspector, is looked at once more; a query that would not lock is not sent.
 */
final class LockExpectation implements AutoCloseable {
    static final String ADVICE =
            "; a query that locks is SELECT x FROM Entity x WHERE …, without DISTINCT, GROUP BY, UNION or JOIN FETCH: put what"
                    + " is joined into a subquery (WHERE EXISTS …), or query the ids and lock by them";

    private static final ThreadLocal<@Nullable LockExpectation> CURRENT = new ThreadLocal<>();
    private static final Pattern LIMIT = Pattern.compile("\\b(fetch\\s+first|limit)\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern QUERY =
            Pattern.compile("^\\s*(/\\*.*?\\*/)?\\s*select\\b", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private final Place place;
    private final Lock lock;
    private String seen = "";
    private boolean taken;

    private LockExpectation(Place place, Lock lock) {
        this.place = place;
        this.lock = lock;
    }

    /** @param place whose rows are to be locked: those of the root where the query has them, or else of another table */
    static LockExpectation begin(Place place, Lock lock) {
        if (CURRENT.get() != null) {
            throw new IllegalStateException("a query that locks is under way in this thread already");
        }
        LockExpectation begun = new LockExpectation(place, lock);
        CURRENT.set(begun);
        return begun;
    }

    static @Nullable LockExpectation current() {
        return CURRENT.get();
    }

    /** Returns what to send instead. A flush before the query sends no SELECT of these tables. */
    String check(String sql, UnaryOperator<String> others) {
        Optional<String> alias = QUERY.matcher(sql).find() ? alias(sql) : Optional.empty();
        if (taken || alias.isEmpty()) {
            return others.apply(sql);
        }
        seen = sql;
        if (!LIMIT.matcher(sql).find()) {
            throw new LockNotTakenException(
                    "Hibernate counts the rows of this query in memory, so it would lock all of them" + ADVICE, sql);
        }
        String clause = lock.sql(alias.get());
        String out = others.apply(sql + " " + clause);
        seen = out;
        if (LockClause.in(out).stream().noneMatch(sent -> isAsked(sent, alias.get()))) {
            throw new LockNotTakenException(
                    "the query was to end with " + clause + ", and a statement inspector took that away", out);
        }
        taken = true;
        return out;
    }

    /** The name under which the query knows the rows. */
    private Optional<String> alias(String sql) {
        List<KeyedTable> tables = new ArrayList<>(List.of(place.root()));
        tables.addAll(place.others());
        for (KeyedTable table : tables) {
            Matcher found = Pattern.compile(
                            "(?:\\b(?:from|join)\\s+|\\()" + Pattern.quote(table.name()) + "\\s+(\\w+)",
                            Pattern.CASE_INSENSITIVE)
                    .matcher(sql);
            if (found.find()) {
                return Optional.of(found.group(1));
            }
        }
        return Optional.empty();
    }

    private boolean isAsked(LockClause sent, String alias) {
        WhenTaken whenTaken =
                lock.isNoWait() ? WhenTaken.NOWAIT : lock.skips() ? WhenTaken.SKIP_LOCKED : WhenTaken.WAIT;
        return sent.strength() == HeldLocks.strength(lock)
                && sent.whenTaken() == whenTaken
                && sent.of().equals(List.of(alias.toLowerCase(Locale.ROOT)));
    }

    /** The SQL of the query; empty if none came past. */
    String sql() {
        return seen;
    }

    /** @throws LockNotTakenException if no such query came past, so that nobody knows what was sent */
    void requireTaken() {
        if (!taken) {
            throw new LockNotTakenException(
                    "the SQL of the query was not seen, so it did not lock: the session has a statement inspector of its own,"
                            + " or Rowlock's was not added to the session factory",
                    seen);
        }
    }

    @Override
    public void close() {
        CURRENT.remove();
    }
}
