package dev.rowlock.jpa;

import dev.rowlock.Lock;
import dev.rowlock.RowlockException;
import dev.rowlock.TooManyRowsException;
import jakarta.persistence.metamodel.EntityType;
import jakarta.persistence.metamodel.SingularAttribute;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hibernate.engine.spi.SessionImplementor;
import org.hibernate.query.Query;
import org.hibernate.query.SemanticException;

/** Locks what a JPQL query finds, in one statement whose conditions hold for the rows as they are once they are locked. */
final class LockingQuery<E> {
    private static final Pattern FORM = Pattern.compile(
            "^\\s*select\\s+(\\w+)\\s+(from\\s+[\\w.]+\\s+(?:as\\s+)?(\\w+)\\b.*)",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    /** Innermost parentheses and texts: what is in them is not of the query itself. */
    private static final Pattern INNER = Pattern.compile("'[^']*'|\\([^()']*\\)");
    /** PostgreSQL refuses these with an error for which HikariCP closes the connection, so it is not asked. */
    private static final Pattern NOT_ROWS = Pattern.compile(
            "\\b(group\\s+by|having|union|intersect|except|join\\s+fetch)\\b", Pattern.CASE_INSENSITIVE);

    private static final Pattern ORDER = Pattern.compile("\\border\\s+by\\b", Pattern.CASE_INSENSITIVE);
    /** "Feature not supported": a locking clause where there can be none. */
    private static final String NOT_SUPPORTED = "0A000";

    private final SessionImplementor session;
    private final Class<E> type;
    private final EntityTables tables;
    private final Lock lock;
    private final int most;

    LockingQuery(SessionImplementor session, Class<E> type, EntityTables tables, Lock lock, int most) {
        this.session = session;
        this.type = type;
        this.tables = tables;
        this.lock = lock;
        this.most = most;
    }

    /** The ids in the query's order; the rows that it selects from are locked, those in other tables of the entity not yet. */
    Set<Object> run(String jpql, Map<String, ?> parameters) {
        if (tables.places().size() > 1) {
            throw new IllegalArgumentException("the rows of " + type.getSimpleName() + " are in several tables ("
                    + String.join(", ", tables.names())
                    + "), and PostgreSQL locks no rows of a UNION; query each concrete class, or lock by ids");
        }
        List<Object> found = send(jpql, parameters);
        if (found.size() > most) {
            session.accessTransaction().markRollbackOnly();
            throw new TooManyRowsException("more than " + most + " rows match \"" + jpql
                    + "\"; narrow the condition, work in portions (Lock.first) or raise the limit (Lock.limit)");
        }
        return new LinkedHashSet<>(found);
    }

    private List<Object> send(String jpql, Map<String, ?> parameters) {
        String ofIds = ofIds(jpql);
        try (LockExpectation expected = LockExpectation.begin(tables.places().get(0), lock)) {
            try {
                Query<Object> query = session.createQuery(ofIds, Object.class);
                parameters.forEach(query::setParameter);
                query.setMaxResults(lock.takesFirst() ? most : most + 1);
                query.setCacheable(false);
                List<Object> found = query.getResultList();
                expected.requireTaken();
                return found;
            } catch (RuntimeException e) {
                session.accessTransaction().markRollbackOnly();
                throw JpaConflicts.tell(translated(e, jpql, expected), session, tables.entity());
            }
        }
    }

    private RuntimeException translated(RuntimeException e, String jpql, LockExpectation expected) {
        if (e instanceof RowlockException) {
            return e;
        }
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof SemanticException) {
                return notTaken("Hibernate makes no query of ids of \"" + jpql + "\"", cause, expected);
            }
            if (cause instanceof SQLException sql) {
                return NOT_SUPPORTED.equals(sql.getSQLState())
                        ? notTaken("PostgreSQL cannot lock the rows of \"" + jpql + "\"", sql, expected)
                        : RowlockException.translate(
                                "lock of what matches \"" + jpql + "\"", tables.table(), lock.isNoWait(), sql);
            }
        }
        return e;
    }

    private static LockNotTakenException notTaken(String what, Throwable cause, LockExpectation expected) {
        LockNotTakenException error = new LockNotTakenException(
                what + " (" + cause.getMessage() + ")" + LockExpectation.ADVICE, expected.sql());
        error.addSuppressed(cause);
        return error;
    }

    /** A query of ids has nothing to fetch, so it joins no more than its conditions need. */
    private String ofIds(String jpql) {
        Matcher form = FORM.matcher(jpql);
        if (!form.matches()
                || !form.group(1).equals(form.group(3))
                || NOT_ROWS.matcher(outermost(jpql)).find()) {
            throw new LockNotTakenException(
                    "not the form of a query that locks: \"" + jpql + "\"" + LockExpectation.ADVICE, "");
        }
        String alias = form.group(1);
        String rest = form.group(2);
        // In the order of the keys, unless the query has an order, so that two of them do not wait for each other.
        return "SELECT id(" + alias + ") " + rest
                + (ORDER.matcher(outermost(rest)).find() ? "" : " ORDER BY " + String.join(", ", keys(alias)));
    }

    private static String outermost(String jpql) {
        String outer = jpql;
        String before;
        do {
            before = outer;
            outer = INNER.matcher(before).replaceAll(" ");
        } while (!outer.equals(before));
        return outer;
    }

    private List<String> keys(String alias) {
        EntityType<E> entity = session.getMetamodel().entity(type);
        List<String> keys = new ArrayList<>();
        if (entity.hasSingleIdAttribute()) {
            keys.add(
                    alias + "." + entity.getId(entity.getIdType().getJavaType()).getName());
        } else {
            for (SingularAttribute<? super E, ?> attribute : entity.getIdClassAttributes()) {
                keys.add(alias + "." + attribute.getName());
            }
            keys.sort(null);
        }
        return keys;
    }
}
