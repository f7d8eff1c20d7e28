package dev.rowlock.jpa;

import dev.rowlock.Lock;
import dev.rowlock.RowlockException;
import dev.rowlock.jpa.EntityTables.JdbcValue;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.hibernate.engine.spi.SessionImplementor;
import org.hibernate.type.descriptor.ValueBinder;
import org.hibernate.type.descriptor.java.JavaType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends what locks rows by their keys, on the session's connection and as it stands here: nothing rewrites it on the way. */
final class LockStatements {
    private static final Logger LOG = LoggerFactory.getLogger(JpaLocks.class);

    private final SessionImplementor session;
    private final EntityTables tables;
    private final Lock lock;

    LockStatements(SessionImplementor session, EntityTables tables, Lock lock) {
        this.session = session;
        this.tables = tables;
        this.lock = lock;
    }

    /** Locks them in one round trip; returns those that are locked, which can be fewer. */
    List<Object> lock(Set<?> ids, WaitLimit wait) {
        return run(LockSql.of(tables, ids.size(), lock), ids, wait);
    }

    /** Locks the rows in other tables than the root's. */
    void lockOthers(Set<?> ids, WaitLimit wait) {
        String sql = LockSql.ofOthers(tables, ids.size(), lock);
        if (!sql.isEmpty()) {
            run(sql, ids, wait);
        }
    }

    private List<Object> run(String sql, Set<?> ids, WaitLimit wait) {
        String framed = wait.isSet() ? wait.begin() + "; " + sql + "; " + WaitLimit.end() : sql;
        LOG.debug("{}", framed);
        return inTransaction(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(framed)) {
                bind(statement, ids);
                boolean isResult = statement.execute();
                if (!(wait.isSet() ? statement.getMoreResults() : isResult)) {
                    throw new IllegalStateException("the statement that locks rows gave no result: " + sql);
                }
                try (ResultSet found = statement.getResultSet()) {
                    return read(found, ids);
                }
            }
        });
    }

    /** Sets the limit for statements that others send. */
    void begin(WaitLimit wait) {
        if (wait.isSet()) {
            send(wait.begin());
        }
    }

    /** Brings back what was in force before. */
    void end(WaitLimit wait) {
        if (wait.isSet()) {
            send(WaitLimit.end());
        }
    }

    private void send(String sql) {
        LOG.debug("{}", sql);
        inTransaction(connection -> {
            try (Statement statement = connection.createStatement()) {
                return statement.execute(sql);
            }
        });
    }

    private interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    private <T> T inTransaction(Work<T> work) {
        return session.doReturningWork(connection -> {
            try {
                if (connection.getAutoCommit()) {
                    throw new IllegalStateException("the connection is in auto-commit mode although a transaction is"
                            + " open, so every lock would be gone at once; if"
                            + " hibernate.connection.provider_disables_autocommit is on, the pool must disable it");
                }
                return work.on(connection);
            } catch (SQLException e) {
                throw JpaConflicts.tell(
                        RowlockException.translate(
                                "lock of " + tables.entity().getEntityName(), tables.table(), lock.isNoWait(), e),
                        session,
                        tables.entity());
            }
        });
    }

    private void bind(PreparedStatement statement, Set<?> ids) throws SQLException {
        int at = 1;
        for (int place = 0; place < tables.places().size(); place++) {
            for (Object id : ids) {
                for (JdbcValue value : tables.keyOf(id, session)) {
                    @SuppressWarnings("unchecked")
                    ValueBinder<Object> binder = value.mapping().getJdbcValueBinder();
                    binder.bind(statement, value.value(), at, session);
                    at++;
                }
            }
        }
    }

    /** Which of the ids were found. That is asked of the values only where some were not: the database knows better what is equal. */
    private List<Object> read(ResultSet found, Set<?> ids) throws SQLException {
        List<List<JdbcValue>> keys =
                ids.stream().map(id -> tables.keyOf(id, session)).toList();
        List<List<Object>> rows = new ArrayList<>();
        while (found.next()) {
            List<Object> row = new ArrayList<>();
            for (int i = 0; i < keys.get(0).size(); i++) {
                row.add(keys.get(0).get(i).mapping().getJdbcValueExtractor().extract(found, i + 1, session));
            }
            rows.add(row);
        }
        if (rows.size() == ids.size()) {
            return new ArrayList<>(ids);
        }
        List<Object> locked = new ArrayList<>();
        int at = 0;
        for (Object id : ids) {
            List<JdbcValue> key = keys.get(at);
            if (rows.stream().anyMatch(row -> areEqual(key, row))) {
                locked.add(id);
            }
            at++;
        }
        return locked;
    }

    private static boolean areEqual(List<JdbcValue> key, List<Object> row) {
        for (int i = 0; i < row.size(); i++) {
            @SuppressWarnings("unchecked")
            JavaType<Object> type = (JavaType<Object>) key.get(i).mapping().getJdbcJavaType();
            if (!type.areEqual(key.get(i).value(), row.get(i))) {
                return false;
            }
        }
        return true;
    }
}
