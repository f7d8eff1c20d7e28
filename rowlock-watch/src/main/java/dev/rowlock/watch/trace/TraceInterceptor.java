package dev.rowlock.watch.trace;

import dev.rowlock.watch.Call;
import dev.rowlock.watch.Interceptor;
import dev.rowlock.watch.Result;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Leads the calls of one data source to the connections that they are made on. */
final class TraceInterceptor implements Interceptor {
    private final Recording recording;
    private final Map<Long, TracedConnection> connections = new ConcurrentHashMap<>();
    private volatile @Nullable Isolation usual;

    TraceInterceptor(Recording recording) {
        this.recording = recording;
    }

    @Override
    public void opened(long id, Connection connection) throws SQLException {
        Isolation isolation = usual;
        if (isolation == null) {
            isolation = Isolation.of(connection.getTransactionIsolation());
            if (!connection.getAutoCommit()) {
                // The question was a statement, and began a transaction.
                connection.rollback();
            }
            usual = isolation;
        }
        connections.put(id, recording.open(isolation));
    }

    private void with(long id, Consumer<TracedConnection> work) {
        TracedConnection connection = connections.get(id);
        if (connection == null) {
            return;
        }
        try {
            work.accept(connection);
        } catch (RuntimeException e) {
            // Who watches must not break what is watched.
            recording.failed(e);
        }
    }

    @Override
    public void before(Call call) {
        with(call.connectionId(), connection -> connection.before(call));
    }

    @Override
    public void after(Call call, Result result) {
        with(call.connectionId(), connection -> connection.after(call, result));
        if (call.kind() == Call.Kind.CLOSE) {
            TracedConnection closed = connections.remove(call.connectionId());
            if (closed != null) {
                recording.closed(closed);
            }
        }
    }

    @Override
    public void atRow(Call query, ResultSet at) {
        with(query.connectionId(), connection -> connection.atRow(query));
    }

    @Override
    public void done(Call query) {
        with(query.connectionId(), connection -> connection.done(query));
    }

    @Override
    public void isolationSet(long id, int level) {
        with(id, connection -> connection.isolation(Isolation.of(level)));
    }
}
