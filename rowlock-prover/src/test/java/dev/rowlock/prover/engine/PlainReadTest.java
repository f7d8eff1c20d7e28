package dev.rowlock.prover.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.prover.scenario.Scenario;
import dev.rowlock.prover.scenario.Scenarios;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where the clause is put. */
class PlainReadTest {
    private static String locked(String block, PlainRead... reads) {
        Scenario scenario = Scenarios.parse("test", "session a step other { SELECT 0; } step r {" + block + "}");
        Scenario locked = PlainRead.lock(scenario, List.of(reads), "FOR SHARE");
        assertThat(locked.sessions().get(0).steps().get(0))
                .isEqualTo(scenario.sessions().get(0).steps().get(0));
        return locked.sessions().get(0).steps().get(1).sql().text();
    }

    @Test
    void clauseStandsBeforeTheSemicolon() {
        assertThat(locked(" SELECT n FROM t ; ", new PlainRead("r", 0, ""))).isEqualTo(" SELECT n FROM t FOR SHARE ; ");
        assertThat(locked("SELECT ';' FROM t", new PlainRead("r", 0, ""))).isEqualTo("SELECT ';' FROM t FOR SHARE");
    }

    @Test
    void eachOfSeveralStatementsIsFound() {
        assertThat(locked(
                        "SELECT 1 FROM t; SELECT 2; SELECT 3 FROM t;",
                        new PlainRead("r", 0, ""),
                        new PlainRead("r", 2, "")))
                .isEqualTo("SELECT 1 FROM t FOR SHARE; SELECT 2; SELECT 3 FROM t FOR SHARE;");
    }

    @Test
    void commentDoesNotSwallowTheClause() {
        assertThat(locked("SELECT n FROM t -- all\n;", new PlainRead("r", 0, "")))
                .isEqualTo("SELECT n FROM t -- all\nFOR SHARE\n;");
        assertThat(new PlainRead("r", 0, "SELECT n -- all\nFROM t").locked("FOR UPDATE"))
                .endsWith("FROM t\nFOR UPDATE");
    }

    @Test
    void readsOfOtherStepsAreLeftAlone() {
        assertThat(locked("SELECT n FROM t", new PlainRead("elsewhere", 0, ""))).isEqualTo("SELECT n FROM t");
    }
}
