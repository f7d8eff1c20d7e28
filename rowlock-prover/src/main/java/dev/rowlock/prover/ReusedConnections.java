package dev.rowlock.prover;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.logging.Logger;
import javax.sql.ConnectionEvent;
import javax.sql.ConnectionEventListener;
import javax.sql.ConnectionPoolDataSource;
import javax.sql.DataSource;
import javax.sql.PooledConnection;
import org.jspecify.annotations.Nullable;

/**
 * Lends connections again that were given back, because a new one for every transaction of every schedule costs more than the
 * schedule; as many as are wanted at once. Makes the server count each new one at once.
 */
final class ReusedConnections implements DataSource, ConnectionEventListener, AutoCloseable {
    private final ConnectionPoolDataSource source;
    private final Deque<PooledConnection> idle = new ArrayDeque<>();
    private boolean closed;

    ReusedConnections(ConnectionPoolDataSource source) {
        this.source = source;
    }

    @Override
    public Connection getConnection() throws SQLException {
        PooledConnection pooled = takeIdle();
        if (pooled == null) {
            pooled = source.getPooledConnection();
            pooled.addConnectionEventListener(this);
            Connection connection = pooled.getConnection();
            try (Statement statement = connection.createStatement()) {
                statement.execute("SELECT pg_stat_force_next_flush()");
            }
            return connection;
        }
        return pooled.getConnection();
    }

    private synchronized @Nullable PooledConnection takeIdle() throws SQLException {
        if (closed) {
            throw new SQLException("the race's database is closed");
        }
        return idle.pollFirst();
    }

    @Override
    public synchronized void connectionClosed(ConnectionEvent event) {
        idle.addFirst((PooledConnection) event.getSource());
    }

    @Override
    public synchronized void connectionErrorOccurred(ConnectionEvent event) {
        idle.remove((PooledConnection) event.getSource());
        ((PooledConnection) event.getSource()).removeConnectionEventListener(this);
    }

    @Override
    public synchronized void close() throws SQLException {
        closed = true;
        while (!idle.isEmpty()) {
            PooledConnection pooled = idle.removeFirst();
            pooled.removeConnectionEventListener(this);
            pooled.close();
        }
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("the race's database has one user only");
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return source.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        source.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        source.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return source.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return source.getParentLogger();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        if (isWrapperFor(type)) {
            return type.cast(this);
        }
        throw new SQLException("no " + type.getName() + " is behind this data source");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return type.isInstance(this);
    }
}
