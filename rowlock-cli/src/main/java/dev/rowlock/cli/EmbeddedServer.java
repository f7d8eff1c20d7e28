package dev.rowlock.cli;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/** A throw-away PostgreSQL for proofs: nothing in it outlives the program, so it need not be durable, only quick. */
final class EmbeddedServer implements ProveServer {
    private final EmbeddedPostgres server;

    private EmbeddedServer(EmbeddedPostgres server) {
        this.server = server;
    }

    static EmbeddedServer start() throws IOException {
        return new EmbeddedServer(EmbeddedPostgres.builder()
                // Its moments would not be the same in two runs of one schedule.
                .setServerConfig("autovacuum", "off")
                .setServerConfig("fsync", "off")
                .setServerConfig("synchronous_commit", "off")
                .setServerConfig("full_page_writes", "off")
                .setServerConfig("listen_addresses", "127.0.0.1")
                .start());
    }

    @Override
    public Connection connect(String schema) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("preferQueryMode", "simple");
        properties.setProperty("currentSchema", schema);
        return DriverManager.getConnection(server.getJdbcUrl("postgres", "postgres"), properties);
    }

    @Override
    public String version() throws SQLException {
        try (Connection connection = connect("public")) {
            return "PostgreSQL " + connection.getMetaData().getDatabaseProductVersion();
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
