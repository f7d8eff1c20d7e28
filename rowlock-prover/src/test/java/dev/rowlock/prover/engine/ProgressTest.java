package dev.rowlock.prover.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.prover.scenario.Scenarios;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProgressTest {
    @Test
    void everyScheduleIsToldOnceInOrder() {
        List<Long> told = new ArrayList<>();

        Report report =
                TestServer.explore(Scenarios.parse("test", """
                        setup { CREATE TABLE t (n int); }
                        session a step r1 { SELECT n FROM t; } step r2 { SELECT n FROM t; }
                        session b step w { INSERT INTO t VALUES (1); }
                        """), Optional.empty(), TestServer.LIMITS, told::add);

        assertThat(told)
                .hasSizeGreaterThan(1)
                .isSorted()
                .doesNotHaveDuplicates()
                .last()
                .isEqualTo(report.schedules());
    }
}
