package dev.rowlock.cli;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A PostgreSQL that, seen from the program, somebody else runs; one for this JVM. */
final class TestPostgres {
    private static final EmbeddedPostgres SERVER = start();

    private TestPostgres() {}

    private static EmbeddedPostgres start() {
        try {
            return EmbeddedPostgres.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** URL for a superuser. */
    static String url() {
        return url("postgres");
    }

    /** URL for a role, without any password: the server trusts everybody. */
    static String url(String user) {
        return "jdbc:postgresql://localhost:" + SERVER.getPort() + "/postgres?user=" + user;
    }

    static void run(String... statements) {
        try (Connection connection = DriverManager.getConnection(url());
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The first column of every row. */
    static List<String> ask(String sql) {
        try (Connection connection = DriverManager.getConnection(url());
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            List<String> found = new ArrayList<>();
            while (result.next()) {
                found.add(result.getString(1));
            }
            return found;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
