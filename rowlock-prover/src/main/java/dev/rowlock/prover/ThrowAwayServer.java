package dev.rowlock.prover;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.ConnectionPoolDataSource;
import javax.sql.DataSource;
import org.postgresql.ds.PGConnectionPoolDataSource;

/** The one throw-away PostgreSQL of this JVM; it ends with the JVM, and need not be durable, only quick. */
final class ThrowAwayServer {
    private static final EmbeddedPostgres SERVER = start();
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private ThrowAwayServer() {}

    private static EmbeddedPostgres start() {
        try {
            return EmbeddedPostgres.builder()
                    // Its moments would not be the same in two runs of one schedule.
                    .setServerConfig("autovacuum", "off")
                    .setServerConfig("listen_addresses", "127.0.0.1")
                    .setServerConfig("max_connections", "200")
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("the PostgreSQL for races cannot be started", e);
        }
    }

    /** The name of a new, empty database. */
    static String createDatabase() throws SQLException {
        String name = "race" + NUMBER.incrementAndGet();
        execute("CREATE DATABASE " + name);
        return name;
    }

    static void dropDatabase(String name) throws SQLException {
        execute("DROP DATABASE " + name + " WITH (FORCE)");
    }

    /** Opens a new connection to this database each time. */
    static DataSource plain(String database) {
        return SERVER.getDatabase("postgres", database);
    }

    /** Opens connections to this database that can be lent again. */
    static ConnectionPoolDataSource pooled(String database) {
        PGConnectionPoolDataSource source = new PGConnectionPoolDataSource();
        source.setUrl(SERVER.getJdbcUrl("postgres", database));
        source.setDefaultAutoCommit(true);
        return source;
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = SERVER.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
