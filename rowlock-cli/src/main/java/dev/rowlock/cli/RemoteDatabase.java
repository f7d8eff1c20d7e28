package dev.rowlock.cli;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL that somebody else runs. */
final class RemoteDatabase {
    /** Where a password is looked for that is not in the URL. */
    static final String PASSWORD_VARIABLE = "ROWLOCK_PASSWORD";

    private static final String PATIENCE_SECONDS = "10";

    private RemoteDatabase() {}

    /** Opens and closes one connection, so that a wrong URL or password is one line and not a failed start of Spring. */
    static void require(String url, @Nullable String user, @Nullable String password) {
        requirePostgresUrl(url);
        Properties properties = new Properties();
        properties.setProperty("connectTimeout", PATIENCE_SECONDS);
        properties.setProperty("loginTimeout", PATIENCE_SECONDS);
        if (user != null) {
            properties.setProperty("user", user);
        }
        if (password != null) {
            properties.setProperty("password", password);
        }
        try (Connection connection = DriverManager.getConnection(url, properties)) {
            connection.setReadOnly(true);
        } catch (SQLException e) {
            throw new Refusal(
                    "cannot connect to " + redact(url) + ": " + redact(Refusal.reason(e))
                            + "; check --url, --user and the password",
                    e);
        }
    }

    static boolean isPostgresUrl(String url) {
        return url.startsWith("jdbc:postgresql:");
    }

    static void requirePostgresUrl(String url) {
        if (!isPostgresUrl(url)) {
            throw notAnUrl("--url " + url);
        }
    }

    /** @param given the URL, and before it the option that it was given with, if it was */
    static Refusal notAnUrl(String given) {
        return new Refusal(
                redact(given) + " is not a PostgreSQL URL; it looks like" + " jdbc:postgresql://host:5432/database");
    }

    /** The text without the password that may be in it. */
    static String redact(String text) {
        return text.replaceAll("(?i)(password=)[^&\\s]*", "$1***");
    }
}
