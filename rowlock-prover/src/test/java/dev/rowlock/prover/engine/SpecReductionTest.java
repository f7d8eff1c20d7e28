package dev.rowlock.prover.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rowlock.prover.scenario.SharedSpecs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** As {@link ReductionTest}, with PostgreSQL's own specs; in a class of its own so that both can run at the same time. */
class SpecReductionTest {
    /** Enough for the whole of many; of the others a beginning is compared, which keeps this test short. */
    private static final int SCHEDULES = 20;

    /** Enough for the whole of most. */
    private static final int DEEP_SCHEDULES = 200;

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
        compare(file, SCHEDULES);
    }

    @Tag("deep")
    @ParameterizedTest
    @MethodSource("specs")
    void outcomesOfPostgresSpecsAreTheSameWithoutItInMoreOrders(Path file) {
        compare(file, DEEP_SCHEDULES);
    }

    private static void compare(Path file, int schedules) {
        Explorer.Limits limits = new Explorer.Limits(schedules, Duration.ofSeconds(30), Duration.ofSeconds(20), true);
        Report reduced = ReductionTest.explore(file, limits);
        assumeTrue(reduced.exhaustive(), "not decided within " + schedules + " schedules");
        Report full = ReductionTest.explore(file, limits.withoutReduction());

        assertThat(ReductionTest.outcomes(reduced)).containsAll(ReductionTest.outcomes(full));
        if (full.exhaustive()) {
            assertThat(ReductionTest.outcomes(full)).containsAll(ReductionTest.outcomes(reduced));
        }
    }
}
