package dev.rowlock.prover.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The form of errors, and files that fail as a whole. A {@code ▲} marks the place that the error must point at. */
class ScenarioErrorsTest {
    @Test
    void messageIsOneLineThatAnEditorCanFollow() {
        assertThat(WrongText.failure("session a\nstep x into 1 { }"))
                .hasMessage("sample.race:2:13: expected a name to bind a column to, found 1");
    }

    @Test
    void exceptionTellsItsParts() {
        ScenarioException e = WrongText.failure("session a\nstep x into 1 { }");
        assertThat(e.file()).isEqualTo("sample.race");
        assertThat(e.line()).isEqualTo(2);
        assertThat(e.column()).isEqualTo(13);
        assertThat(e.position()).isEqualTo(new Position("sample.race", 2, 13));
        assertThat(e.expected()).isEqualTo("a name to bind a column to");
        assertThat(e.found()).isEqualTo("1");
    }

    @Test
    void columnsCountCharactersNotBytesOrHalves() {
        assertThat(WrongText.failure("session \"𝄞ü\"\tstep ?").column()).isEqualTo(19);
    }

    @Test
    void whatWouldBreakTheLineIsEscaped() {
        ScenarioException e = catchThrowableOfType(
                ScenarioException.class, () -> Scenarios.parse("a\nb\u001b[31m", "session \"\u202e\r\" setup setup"));
        assertThat(e).hasMessageStartingWith("a\\u000Ab\\u001B[31m:1:20: ");
        assertThat(WrongText.failure("session \"\u202e\r\" { } session \"\u202e\r\" step")
                        .getMessage())
                .matches("\\P{Cntrl}*");
        assertThat(WrongText.failure("session a step x { } permutation \"\u202e\r\"")
                        .found())
                .isEqualTo("\"\\u202E\\u000D\"");
    }

    @Test
    void longNamesAreShortened() {
        assertThat(WrongText.failure("session a step x { } permutation " + "é".repeat(100_000))
                        .getMessage())
                .hasSizeLessThan(200);
    }

    static Stream<Arguments> wrongFiles() {
        return Stream.of(
                Arguments.of("▲", "setup, teardown or session", "an empty file"),
                Arguments.of("# nothing\n  ▲", "setup, teardown or session", "an empty file"),
                Arguments.of("setup { }\n▲", "setup, teardown or session", "the end of the file"),
                Arguments.of("teardown { } ▲setup { }", "session", "'setup'"),
                Arguments.of("▲permutation a", "setup, teardown or session", "'permutation'"),
                Arguments.of("session a\n  ▲\0", "text", "a NUL character"),
                Arguments.of("session a step x { ▲\0 }", "text", "a NUL character"),
                Arguments.of("session a step x { ▲\uD834 }", "text", "half a surrogate pair"),
                Arguments.of("session a step x { } ▲\uDD1E", "text", "half a surrogate pair"),
                Arguments.of(
                        "session a\nstep x ▲{ SELECT 1;\nstep y", "a '}' that ends the block", "a block without end"),
                Arguments.of(
                        "session a step ▲\"x { }", "a '\"' that ends the name on the same line", "a quote without end"),
                Arguments.of(
                        "session a step ▲\"x\n\" { }",
                        "a '\"' that ends the name on the same line",
                        "a quote without end"),
                Arguments.of("session a ▲; step x { }", "a word, a name in quotes or a block", "';'"),
                Arguments.of(
                        "session a step x { SELECT '{1}▲' }",
                        "a word, a name in quotes or a block", "''' (the block before it ended at its first '}')"));
    }

    @ParameterizedTest
    @MethodSource("wrongFiles")
    void errorPointsAtTheOffendingPlace(String marked, String expected, String found) {
        WrongText.requireError(marked, expected, found);
    }
}
