package dev.rowlock.prover.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.rowlock.prover.NotProvedError;
import dev.rowlock.prover.Race;
import dev.rowlock.prover.RaceDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** A database of its own for each test, and a report for each race. */
@ExtendWith(RaceExtension.class)
class RaceExtensionTest {
    private RaceDatabase given;

    @BeforeEach
    void createTable(RaceDatabase database) {
        given = database.execute("CREATE TABLE counter (n int NOT NULL)", "INSERT INTO counter VALUES (0)");
    }

    private int increment(String sql) throws SQLException {
        try (Connection connection = given.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            int seen;
            try (ResultSet row = statement.executeQuery("SELECT n FROM counter")) {
                row.next();
                seen = row.getInt(1);
            }
            return statement.executeUpdate(sql.formatted(seen + 1));
        }
    }

    @Test
    void testGetsTheDatabaseThatWasPreparedForIt(RaceDatabase database) {
        assertThat(database).isSameAs(given);
    }

    /** Creating the table would fail in a database that another test has had. */
    @RaceTest
    void raceLeavesAReport(RaceDatabase database, TestInfo info) throws IOException {
        Race lost = Race.on(database)
                .named("lost increment")
                .actor("A", () -> increment("UPDATE counter SET n = %d"))
                .actor("B", () -> increment("UPDATE counter SET n = %d"));
        Race kept = Race.on(database)
                .named("kept increment")
                .actor("A", () -> increment("UPDATE counter SET n = n + 1"))
                .actor("B", () -> increment("UPDATE counter SET n = n + 1"));

        assertThatExceptionOfType(NotProvedError.class).isThrownBy(lost::prove);
        kept.prove();

        String test =
                getClass().getName() + "." + info.getTestMethod().orElseThrow().getName();
        assertThat(Files.readString(Path.of("target/race-reports", test + ".1.txt")))
                .contains("lost increment: violated", "schedule A1 B1", "schedules run, which stand for all");
        assertThat(Files.readString(Path.of("target/race-reports", test + ".2.txt")))
                .startsWith("kept increment: proved");
    }
}
