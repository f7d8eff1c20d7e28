package dev.rowlock.prover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.prover.junit.RaceTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The README's race of Java code, as it stands there. */
class ReadmeTest {
    /** What the README calls your code. */
    private record Wallets(DataSource dataSource) {
        boolean charge(int id, int amount) throws SQLException {
            try (Connection connection = dataSource.getConnection()) {
                return Jdbc.update(
                                connection,
                                "UPDATE wallet SET balance = balance - ? WHERE id = ? AND balance >= ?",
                                amount,
                                id,
                                amount)
                        == 1;
            }
        }
    }

    // race: begin
    @RaceTest
    void walletIsNeverOverdrawn(RaceDatabase database) {
        database.execute("CREATE TABLE wallet (id bigint PRIMARY KEY, balance bigint NOT NULL)");
        Wallets wallets = new Wallets(database.dataSource()); // your code, as it is

        Race.on(database)
                .given("INSERT INTO wallet VALUES (1, 100)")
                .actor("A", () -> wallets.charge(1, 80))
                .actor("B", () -> wallets.charge(1, 80))
                .invariant("never below zero", "SELECT min(balance) >= 0 FROM wallet")
                .prove();
    }
    // race: end

    @Test
    void raceStandsInTheReadmeToTheLetter() throws IOException {
        String source = Files.readString(Path.of("src/test/java/dev/rowlock/prover/ReadmeTest.java"));
        String begin = "    // race: begin\n";
        String snippet = source.substring(source.indexOf(begin) + begin.length(), source.indexOf("    // race: end"));

        assertThat(Files.readString(Path.of("../README.md")).replace("\r\n", "\n"))
                .contains("```java\n" + snippet.replaceAll("(?m)^    ", "") + "```");
    }
}
