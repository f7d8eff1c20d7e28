package dev.rowlock.cli;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** The settings without which a commit that was answered can be lost. */
final class Durability {
    static final List<String> SETTINGS = List.of("fsync", "synchronous_commit", "full_page_writes");

    private Durability() {}

    /** Asks the server itself, because a role or a database can carry a setting that overrules the command line. */
    static void require(Connection connection, Path data) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String setting : SETTINGS) {
                try (ResultSet row = statement.executeQuery("SHOW " + setting)) {
                    row.next();
                    String value = row.getString(1);
                    if (!"on".equals(value)) {
                        throw new Refusal("the PostgreSQL in " + data + " runs with " + setting + " = " + value
                                + ", which can lose committed data; take that setting back with ALTER DATABASE or ALTER ROLE … RESET "
                                + setting + " in single-user mode (postgres --single -D " + data + " postgres)");
                    }
                }
            }
        }
    }
}
