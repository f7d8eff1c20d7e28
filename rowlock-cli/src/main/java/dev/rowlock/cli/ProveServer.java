package dev.rowlock.cli;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/** A throw-away PostgreSQL for proofs: nothing in it outlives the program, so it need not be durable, only quick. */
final class ProveServer implements AutoCloseable {
    static final String SCHEMA = "rowlock_prove";

    private final EmbeddedPostgres server;

    private ProveServer(EmbeddedPostgres server) {
        this.server = server;
    }

    static ProveServer start() throws IOException {
        return new ProveServer(EmbeddedPostgres.builder()
                // Its moments would not be the same in two runs of one schedule.
                .setServerConfig("autovacuum", "off")
                .setServerConfig("listen_addresses", "127.0.0.1")
                .start());
    }

    /** See {@link dev.rowlock.prover.engine.ScenarioRace.Database#connect}. */
    Connection connect(String schema) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("preferQueryMode", "simple");
        properties.setProperty("currentSchema", schema);
        return DriverManager.getConnection(server.getJdbcUrl("postgres", "postgres"), properties);
    }

    /** Such as {@code PostgreSQL 18.4}. */
    String version() throws SQLException {
        try (Connection connection = connect("public")) {
            return "PostgreSQL " + connection.getMetaData().getDatabaseProductVersion();
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
