package dev.rowlock;

import dev.rowlock.RowlockListener.ConflictKind;
import dev.rowlock.RowlockListener.LockRequest;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * One open transaction on one connection, shared by all units of work that joined it. Lives in the thread that opened it and is
 * found there by its data source.
 */
final class TxScope {
    private static final ThreadLocal<Map<DataSource, TxScope>> CURRENT = ThreadLocal.withInitial(IdentityHashMap::new);

    private static final Map<Class<?>, String> ARRAY_TYPES = Map.of(
            Long.class, "int8",
            Integer.class, "int4",
            String.class, "text",
            UUID.class, "uuid",
            Boolean.class, "bool",
            BigDecimal.class, "numeric");

    private final Connection connection;
    private final Settings settings;
    /** Whether each statement commits by itself, the one it is for. */
    private final boolean alone;

    private final List<Runnable> afterCommit = new ArrayList<>();
    /** SQL that must come before the first statement; sent in the same round trip with it. */
    private String prefix;

    private final String serverRun;
    private @Nullable String xid;
    private @Nullable Throwable failedStatement;
    private @Nullable Throwable rollbackOnly;
    private long firstLockAt;
    private boolean locked;
    private boolean lent;
    private @Nullable SqlRequest atCommit;
    /** The transaction that this is a part of, if somebody else owns it. */
    private final @Nullable OuterTransaction outer;

    TxScope(Connection connection, Settings settings, SessionLimits.Ready ready, boolean alone) {
        this.connection = connection;
        this.alone = alone;
        this.settings = settings;
        this.prefix = ready.prefix();
        this.serverRun = ready.serverRun();
        this.outer = null;
    }

    /** A part of a transaction that somebody else owns. Its limits are set in it, so they end with it. */
    TxScope(Connection connection, Settings settings, OuterTransaction outer) {
        this.connection = connection;
        this.alone = false;
        this.settings = settings;
        this.prefix = settings.limits().setLocal();
        this.serverRun = "";
        this.outer = outer;
    }

    static @Nullable TxScope current(DataSource dataSource) {
        return CURRENT.get().get(dataSource);
    }

    /** Whether this is a part of the transaction, which is that of somebody else; of none if it is null. */
    boolean isPartOf(@Nullable OuterTransaction other) {
        return Objects.equals(outer, other);
    }

    /** Returns what was open in this thread before, to be put back by {@link #unbind}. */
    @Nullable
    TxScope bind(DataSource dataSource) {
        return CURRENT.get().put(dataSource, this);
    }

    static void unbind(DataSource dataSource, @Nullable TxScope before) {
        Map<DataSource, TxScope> scopes = CURRENT.get();
        if (before != null) {
            scopes.put(dataSource, before);
            return;
        }
        scopes.remove(dataSource);
        if (scopes.isEmpty()) {
            CURRENT.remove();
        }
    }

    Connection connection() {
        return connection;
    }

    Settings settings() {
        return settings;
    }

    /** The transaction's id, once a statement brought it back. */
    @Nullable
    String xid() {
        return xid;
    }

    /** Identifies the run of the server that the transaction id belongs to; see {@link SessionLimits.Ready}. */
    String serverRun() {
        return serverRun;
    }

    List<Runnable> afterCommit() {
        return afterCommit;
    }

    /** Nanoseconds since the first lock or write was answered, or 0 if nothing was locked. */
    long lockHoldNanos() {
        return locked && !alone ? settings.nanoTime().getAsLong() - firstLockAt : 0;
    }

    void doom(Throwable cause) {
        if (rollbackOnly == null) {
            rollbackOnly = cause;
        }
    }

    /**
     * Why this transaction must not commit although its function returned, or null. What failed on the caller's own statements, and
     * whether a savepoint has mended it, only the server knows: see {@link #commit}.
     */
    @Nullable
    Throwable whyNotCommit() {
        return rollbackOnly != null || lent ? rollbackOnly : failedStatement;
    }

    /**
     * Commits. PostgreSQL answers COMMIT in a failed transaction with ROLLBACK and no error, so where the caller had the
     * connection, a statement goes before it that fails there; both in one round trip. The server skips the COMMIT if what stands
     * before it in the same message fails.
     */
    void commit() throws SQLException {
        SqlRequest last = atCommit;
        if (last == null && !lent) {
            connection.commit();
            return;
        }
        String sql = last == null ? "SELECT 1" : prefix + last.sql();
        try (PreparedStatement statement = connection.prepareStatement(sql + "\n; COMMIT")) {
            bind(statement, last == null ? List.of() : last.parameters());
            statement.execute();
        }
    }

    /** Sent with the COMMIT. */
    void atCommit(SqlRequest request) {
        if (atCommit != null) {
            throw new IllegalStateException("there is a statement for the commit already, " + atCommit.what()
                    + "; send " + request.what() + " with execute");
        }
        atCommit = request;
    }

    /** Makes ready for statements of the caller's own. */
    void lend() {
        lent = true;
        if (prefix.isEmpty()) {
            return;
        }
        String sql = prefix;
        prefix = "";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.execute();
        } catch (SQLException e) {
            throw failed(SqlErrors.translate("opening the transaction", null, false, e));
        }
    }

    /** Locks or changes rows that exist: may wait for their holders. */
    List<Row> lock(SqlRequest request, Lock.Strength strength) {
        long begin = settings.nanoTime().getAsLong();
        int rows = 0;
        boolean granted = false;
        try {
            List<Row> locked = write(request);
            rows = locked.size();
            granted = true;
            return locked;
        } catch (LockTimeoutException e) {
            conflict(request.table(), request.noWait() ? ConflictKind.LOCK_NOT_AVAILABLE : ConflictKind.LOCK_TIMEOUT);
            throw e;
        } finally {
            LockRequest told = new LockRequest(
                    request.table(), strength, rows, settings.nanoTime().getAsLong() - begin, granted);
            settings.listener().tell(listener -> listener.onLock(told));
        }
    }

    /** Runs a statement that holds what it returns until the transaction ends. */
    List<Row> write(SqlRequest request) {
        if (outer != null && outer.readOnly()) {
            throw new IllegalStateException(request.what()
                    + " cannot be a part of the open transaction, which was opened read-only; open it to write");
        }
        List<Row> rows = query(request);
        if (!locked && !rows.isEmpty()) {
            locked = true;
            firstLockAt = settings.nanoTime().getAsLong();
        }
        return rows;
    }

    void conflict(Table table, ConflictKind kind) {
        settings.listener().tell(listener -> listener.onConflict(new RowlockListener.Conflict(table, kind)));
    }

    List<Row> query(SqlRequest request) {
        return send(request).rows();
    }

    /**
     * Runs a statement of the program's own. As long as the transaction's id is not known it is asked for in the same round
     * trip, behind the statement.
     */
    Answer own(SqlRequest request) {
        Answer answer = send(asksForId() ? request.withSql(request.sql() + RowReader.THEN_XID) : request);
        if (!locked && xid != null) {
            locked = true;
            firstLockAt = settings.nanoTime().getAsLong();
        }
        return answer;
    }

    private boolean asksForId() {
        return xid == null && !settings.readOnly() && !alone && outer == null;
    }

    /** Asks for the transaction's id where that could tell more than is known. */
    void identify() {
        if (asksForId()) {
            own(SqlRequest.own(SqlRequest.OWN, "SELECT 1", new Object[0]));
        }
    }

    List<Row> ownInOrder(List<SqlRequest> requests) {
        if (settings.pipelining()) {
            return own(SqlRequest.together(requests)).rows();
        }
        List<Row> last = List.of();
        for (SqlRequest request : requests) {
            last = own(request).rows();
        }
        return last;
    }

    /**
     * What a statement was answered.
     *
     * @param changed how many rows it changed, or returned if it returns rows
     */
    record Answer(List<Row> rows, int changed) {}

    private Answer send(SqlRequest request) {
        if (Thread.currentThread().isInterrupted()) {
            throw new TransactionInterruptedException(
                    request.what() + " was not begun because the thread is interrupted", null);
        }
        try (PreparedStatement statement = connection.prepareStatement(prefix + request.sql());
                InterruptWatch watch = InterruptWatch.over(statement)) {
            bind(statement, request.parameters());
            Answer answer = readAll(statement, request.table());
            prefix = "";
            return answer;
        } catch (SQLException e) {
            throw failed(SqlErrors.translate(request.what(), request.table(), request.noWait(), e));
        }
    }

    private void bind(PreparedStatement statement, List<@Nullable Object> parameters) throws SQLException {
        int i = 0;
        for (Object parameter : parameters) {
            i++;
            if (parameter instanceof SqlRequest.ArrayOf array) {
                statement.setArray(
                        i, connection.createArrayOf(array.type(), array.values().toArray()));
            } else if (parameter instanceof Object[] array) {
                statement.setArray(i, connection.createArrayOf(arrayType(array), array));
            } else if (parameter instanceof Instant instant) {
                statement.setObject(i, OffsetDateTime.ofInstant(instant, ZoneOffset.UTC));
            } else {
                statement.setObject(i, parameter);
            }
        }
    }

    private static String arrayType(Object[] array) {
        Class<?> of = array.getClass().getComponentType();
        String type = ARRAY_TYPES.get(of);
        if (type == null) {
            throw new IllegalArgumentException("an array of " + of.getSimpleName() + " cannot be a value; there are "
                    + ARRAY_TYPES.keySet().stream()
                            .map(Class::getSimpleName)
                            .sorted()
                            .toList());
        }
        return type;
    }

    /**
     * A request may be framed by SET LOCAL, which changes no rows, so its rows are in the one result that has any; every result
     * is drained.
     */
    private Answer readAll(PreparedStatement statement, Table table) throws SQLException {
        List<Row> rows = List.of();
        int changed = 0;
        boolean isRows = statement.execute();
        while (isRows || statement.getUpdateCount() >= 0) {
            if (isRows) {
                try (ResultSet results = statement.getResultSet()) {
                    RowReader.Result read = RowReader.read(table, results);
                    if (!read.isXidAlone()) {
                        rows = read.rows();
                    }
                    if (read.xid() != null) {
                        xid = read.xid();
                    }
                }
            } else {
                changed = Math.max(changed, statement.getUpdateCount());
            }
            isRows = statement.getMoreResults();
        }
        return new Answer(rows, Math.max(changed, rows.size()));
    }

    private RowlockException failed(RowlockException translated) {
        failedStatement = translated;
        return translated;
    }
}
