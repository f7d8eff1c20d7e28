package dev.rowlock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.options.TimeValue;

/** That the microbenchmarks run, which they do only if both ways of doing the work come to the same. */
class MicroTest {
    @Test
    void eachWayIsMeasured() throws Exception {
        List<Micro.Measured> results;
        try (Database database = Database.start()) {
            results = Micro.run(database, new Micro.Plan(0, 1, TimeValue.milliseconds(20)));
        }

        assertThat(results)
                .extracting(Micro.Measured::name)
                .containsExactlyInAnyOrder(
                        "RowMappingBenchmark.rowlock, rows 1",
                        "RowMappingBenchmark.rowlock, rows 100",
                        "RowMappingBenchmark.byHand, rows 1",
                        "RowMappingBenchmark.byHand, rows 100",
                        "SqlBuildingBenchmark.rowlock",
                        "SqlBuildingBenchmark.byHand");
        assertThat(results).allSatisfy(one -> assertThat(one.nanos()).isPositive());
    }
}
