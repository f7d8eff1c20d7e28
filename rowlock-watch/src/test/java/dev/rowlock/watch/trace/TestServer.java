package dev.rowlock.watch.trace;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** One PostgreSQL for all tests of the trace and the audit in this JVM, which ends with it. */
public final class TestServer {
    private TestServer() {}

    private static final class Started {
        private static final EmbeddedPostgres SERVER = start();
    }

    private static EmbeddedPostgres start() {
        try {
            return EmbeddedPostgres.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Not traced. */
    public static DataSource dataSource() {
        return Started.SERVER.getPostgresDatabase();
    }

    /** Runs these, not traced. */
    public static void execute(String... texts) throws SQLException {
        try (Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : texts) {
                statement.execute(sql);
            }
        }
    }

    /** The tables that all of these tests use, with a few rows. */
    public static void prepare() throws SQLException {
        execute(
                "DROP TABLE IF EXISTS wallet, product, seat, entry",
                "CREATE TABLE wallet (id int PRIMARY KEY, balance int NOT NULL, state text NOT NULL DEFAULT 'open')",
                "CREATE TABLE product (id int PRIMARY KEY, stock int NOT NULL, version int NOT NULL)",
                "CREATE TABLE seat (id int PRIMARY KEY, taken boolean NOT NULL)",
                "CREATE TABLE entry (text text NOT NULL)",
                "INSERT INTO wallet SELECT i, 100 FROM generate_series(1, 9) AS i",
                "INSERT INTO product SELECT i, 10, 1 FROM generate_series(1, 9) AS i",
                "INSERT INTO seat SELECT i, false FROM generate_series(1, 200) AS i");
    }
}
