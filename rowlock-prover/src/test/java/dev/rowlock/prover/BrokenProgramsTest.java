package dev.rowlock.prover;

import static dev.rowlock.prover.Violations.assertViolated;

import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every broken program must be found out, by the name of what goes wrong, and what repairs it must be proved. */
class BrokenProgramsTest {
    /** The tables of all of them. */
    private static final String[] TABLES = {
        Wallets.TABLE,
        Entities.PRODUCTS,
        "CREATE TABLE job (id int PRIMARY KEY, owner int)",
        "CREATE TABLE payment (number int NOT NULL, payer int NOT NULL)",
        "CREATE TABLE player (id int PRIMARY KEY, points int NOT NULL)",
        "CREATE TABLE tag (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE)",
    };

    /** The rows that all of them begin with. */
    private static final String[] ROWS = {
        "INSERT INTO wallet VALUES (1, 100), (2, 100)",
        "INSERT INTO product VALUES (7, 3, 1)",
        "INSERT INTO job VALUES (1, NULL), (2, NULL)",
        "INSERT INTO payment VALUES (1, 1)",
    };

    private static RaceDatabase database;

    @BeforeAll
    static void open() {
        database = RaceDatabase.throwAway().execute(TABLES);
    }

    @AfterAll
    static void close() {
        database.close();
    }

    static Stream<BrokenProgram> programs() {
        return Stream.of(BrokenChange.values(), BrokenDecision.values()).flatMap(Stream::of);
    }

    private static Race race(BrokenProgram.Code code) {
        return Race.on(database)
                .given(ROWS)
                .abortedBy(BrokenProgram.Stale.class)
                .actor("A", () -> code.run(database.dataSource(), 1))
                .actor("B", () -> code.run(database.dataSource(), 2));
    }

    @ParameterizedTest
    @MethodSource("programs")
    void brokenIsFoundOut(BrokenProgram program) {
        assertViolated(race(program.broken()), program.anomaly());
    }

    @ParameterizedTest
    @MethodSource("programs")
    void fixedIsProved(BrokenProgram program) {
        race(program.fixed()).prove();
    }
}
