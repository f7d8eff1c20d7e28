package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The clock is the test's own. */
class ProveProgressTest {
    private static final Terminal TERMINAL = new Terminal(true, true, 80, true);
    private static final String SCENARIO = "twelve-sessions.race";
    private static final Terminal PIPE = new Terminal(false, false, 100, true);

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private long now = Long.MAX_VALUE - 1; // a nanoTime may be about to overflow

    private ProveProgress progress(Terminal terminal) {
        return new ProveProgress(SCENARIO, 400, terminal, new PrintWriter(out), new PrintWriter(err), () -> now);
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    @Test
    void barIsDrawnOnATerminalAndErasedAtTheEnd() {
        try (ProveProgress progress = progress(TERMINAL)) {
            pass(Duration.ofSeconds(2));
            progress.ran(100);

            assertThat(out.toString())
                    .isEqualTo("\r\u001b[K[#####...............]"
                            + " 100 of at most 400, 50/s, at most 6 s left  twelve-sessi");
        }

        assertThat(out.toString()).endsWith("\r\u001b[K");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void barIsNotDrawnMoreThanTenTimesASecond() {
        try (ProveProgress progress = progress(TERMINAL)) {
            for (int i = 1; i <= 100; i++) {
                pass(Duration.ofMillis(10));
                progress.ran(i);
            }
        }

        // One piece before the first erasing, one after the last.
        assertThat(out.toString().split("\r", -1)).hasSize(1 + 10 + 1);
    }

    @Test
    void quickScenarioSaysNothing() {
        for (Terminal terminal : new Terminal[] {TERMINAL, PIPE}) {
            try (ProveProgress progress = progress(terminal)) {
                pass(Duration.ofMillis(99));
                progress.ran(3);
            }
        }

        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void pipeGetsNothingAndStderrALineEveryFiveSeconds() {
        try (ProveProgress progress = progress(PIPE)) {
            for (int i = 1; i <= 110; i++) {
                pass(Duration.ofMillis(100));
                progress.ran(i);
            }
        }

        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().lines())
                .containsExactly(
                        SCENARIO + ": 50 of at most 400 schedules, 10/s, at most 35 s left",
                        SCENARIO + ": 100 of at most 400 schedules, 10/s, at most 30 s left");
    }
}
