package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TerminalTest {
    private static OptionalInt notToBeAsked() {
        throw new AssertionError("there is nobody to ask");
    }

    @Test
    void pipeHasNeitherColoursNorABar() {
        Terminal pipe = Terminal.of(Map.of(), false, TerminalTest::notToBeAsked, StandardCharsets.UTF_8);

        assertThat(pipe).isEqualTo(new Terminal(false, false, 100, true));
    }

    @Test
    void terminalHasBoth() {
        Terminal terminal = Terminal.of(Map.of("TERM", "xterm"), true, OptionalInt::empty, StandardCharsets.UTF_8);

        assertThat(terminal).isEqualTo(new Terminal(true, true, 100, true));
    }

    @Test
    void noColorTakesTheColoursButNotTheBar() {
        Terminal terminal = Terminal.of(Map.of("NO_COLOR", "1"), true, OptionalInt::empty, StandardCharsets.UTF_8);

        assertThat(terminal.colour()).isFalse();
        assertThat(terminal.interactive()).isTrue();
    }

    @Test
    void emptyNoColorCountsAsUnset() {
        assertThat(Terminal.of(Map.of("NO_COLOR", ""), true, OptionalInt::empty, StandardCharsets.UTF_8)
                        .colour())
                .isTrue();
    }

    @Test
    void dumbTerminalCannotEraseALine() {
        Terminal dumb = Terminal.of(Map.of("TERM", "dumb"), true, TerminalTest::notToBeAsked, StandardCharsets.UTF_8);

        assertThat(dumb.interactive()).isFalse();
        assertThat(dumb.colour()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"120, 120", "79, 80", "161, 160", "1000000, 100", "many, 100", "0, 100"})
    void columnsGiveTheWidthWithinBounds(String columns, int width) {
        assertThat(Terminal.of(Map.of("COLUMNS", columns), false, TerminalTest::notToBeAsked, StandardCharsets.UTF_8)
                        .width())
                .isEqualTo(width);
    }

    @Test
    void terminalIsAskedWhenTheEnvironmentDoesNotSay() {
        assertThat(Terminal.of(Map.of(), true, () -> OptionalInt.of(133), StandardCharsets.UTF_8)
                        .width())
                .isEqualTo(133);
    }

    @Test
    void asciiIsNotUnicode() {
        assertThat(Terminal.of(Map.of(), false, TerminalTest::notToBeAsked, StandardCharsets.US_ASCII)
                        .unicode())
                .isFalse();
    }
}
