package dev.rowlock.prover.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.prover.scenario.IsolationLevel;
import dev.rowlock.prover.scenario.Scenario;
import dev.rowlock.prover.scenario.Scenarios;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The oracle against schedules whose truth is known: PostgreSQL's own isolation tests. At each level, how many of all schedules are
 * not serializable, and how many SERIALIZABLE aborts.
 */
class KnownTruthTest {

    @ParameterizedTest
    @CsvSource({
        "simple-write-skew,      6,  4,  4,  4",
        "project-manager,       20, 18, 18, 18",
        "total-cash,            20, 18, 12, 18",
        "referential-integrity, 35, 33, 30, 33",
        "receipt-report,       210,  6,  4,  6",
        "two-ids,               90,  0,  0, 16",
        "index-only-scan,        6,  4,  4,  4",
    })
    void countsAreExact(
            String spec, long all, long atRepeatableRead, long atReadCommitted, long abortedAtSerializable) {
        Scenario scenario = read(spec);

        Report repeatableRead = explore(scenario, IsolationLevel.REPEATABLE_READ);
        Report readCommitted = explore(scenario, IsolationLevel.READ_COMMITTED);
        Report serializable = explore(scenario, IsolationLevel.SERIALIZABLE);

        assertThat(repeatableRead.interleavings()).hasValue(BigInteger.valueOf(all));
        assertThat(repeatableRead.violating()).as("at REPEATABLE READ").isEqualTo(atRepeatableRead);
        assertThat(readCommitted.violating()).as("at READ COMMITTED").isEqualTo(atReadCommitted);
        assertThat(serializable.violating()).as("at SERIALIZABLE").isZero();
        assertThat(serializable.aborted()).as("aborted at SERIALIZABLE").isEqualTo(abortedAtSerializable);
    }

    private static Report explore(Scenario scenario, IsolationLevel level) {
        return TestServer.explore(scenario, Optional.of(level), TestServer.LIMITS.withoutReduction());
    }

    private static Scenario read(String spec) {
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            Path file = folder.resolve("shared/pg-isolation/specs/" + spec + ".spec");
            if (Files.exists(file)) {
                return Scenarios.read(file);
            }
        }
        return Assumptions.abort(
                "PostgreSQL's isolation tests are not here: no folder shared/pg-isolation above this one");
    }
}
