package dev.rowlock.prover.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rowlock.prover.scenario.SharedSpecs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** As {@link ReductionTest}, with PostgreSQL's own specs; in a class of its own so that both can run at the same time. */
class SpecReductionTest {
    /** Enough for the whole of most; of the others a beginning is compared, which keeps this test short. */
    private static final Explorer.Limits LIMITS =
            new Explorer.Limits(60, Duration.ofSeconds(30), Duration.ofSeconds(20), true);

    /** Its setup makes a million rows, which every schedule would have to bring back. */
    private static final String TOO_LARGE = "multiple-row-versions.spec";

    /** Whether its sessions run into their time limits is up to the clock, and differs from one exploration to the next. */
    private static final String UP_TO_THE_CLOCK = "timeouts.spec";

    static Stream<Path> specs() {
        return SharedSpecs.folder().stream()
                .flatMap(folder -> ReductionTest.files(folder, ".spec"))
                .filter(file -> !file.endsWith(TOO_LARGE) && !file.endsWith(UP_TO_THE_CLOCK));
    }

    @BeforeAll
    static void needsTheSpecs() {
        SharedSpecs.requireFolder();
    }

    @ParameterizedTest
    @MethodSource("specs")
    void outcomesOfPostgresSpecsAreTheSameWithoutIt(Path file) {
        Report reduced = ReductionTest.explore(file, LIMITS);
        assumeTrue(reduced.exhaustive(), "not decided within " + LIMITS.maxSchedules() + " schedules");
        Report full = ReductionTest.explore(file, LIMITS.withoutReduction());

        assertThat(ReductionTest.outcomes(reduced)).containsAll(ReductionTest.outcomes(full));
        if (full.exhaustive()) {
            assertThat(ReductionTest.outcomes(full)).containsAll(ReductionTest.outcomes(reduced));
        }
    }
}
