package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ProveOutputTest {
    private static String printed(boolean colour) {
        StringWriter out = new StringWriter();
        ProveOutput output = new ProveOutput(new PrintWriter(out), new Terminal(true, colour, 100, true));
        output.add(ProveSamples.scenario("x.race"), ProveSamples.violated(), 1234);
        output.addUndecided(ProveSamples.scenario("y.race"), "no server", 5);
        output.table();
        return out.toString();
    }

    @Test
    void coloursChangeNoCharacter() {
        assertThat(printed(true).replaceAll("\u001b\\[[\\d;]*m", "")).isEqualTo(printed(false));
    }

    @Test
    void verdictsActorsWaitsAndErrorsAreColoured() {
        assertThat(printed(true))
                .contains("\u001b[1;31mviolated\u001b[0m, wrong: ", "\u001b[1;33mundecided\u001b[0m, no server")
                .contains("\u001b[1;36ma\u001b[0m", "\u001b[1;35mb\u001b[0m")
                .contains("\u001b[33m┆ waits for a\u001b[0m", "\u001b[31m!! 40001");
        assertThat(printed(false)).doesNotContain("\u001b");
    }

    @Test
    void tableTellsOutcomesAndTime() {
        assertThat(printed(false))
                .containsPattern(
                        "(?m)^scenario +verdict +schedules +of +outcomes +violating +aborted +deadlocks +time$")
                .containsPattern("(?m)^x.race +violated +2 +2 +2 +1 +1 +0 +1.2 s$")
                .containsPattern("(?m)^y.race +undecided +- +- +- +- +- +- +5 ms$");
    }
}
