package dev.rowlock.prover.scenario;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What stands behind the sessions and should not. A {@code ▲} marks the place that the error must point at. */
class EndErrorsTest {
    private static final String END = "permutation, invariant, ignore, observe or the end of the file";
    private static final String COLUMN = "a column with its table, written table.column";

    static Stream<Arguments> wrongEnds() {
        return Stream.of(
                Arguments.of(
                        "session a step x { } ▲y",
                        "step, teardown, session, permutation, invariant, ignore, observe or the end of the file",
                        "'y'"),
                Arguments.of(
                        "session a step x { } teardown { } ▲step y { }",
                        "session, permutation, invariant, ignore, observe or the end of the file",
                        "'step'"),
                Arguments.of("session a step x { } permutation x ▲session b step y { }", END, "'session'"),
                Arguments.of("session a step x { } invariant ▲i { }", "what the invariant says, in quotes", "'i'"),
                Arguments.of(
                        "session a step x { } invariant \"i\" ▲", "the invariant's block { … }", "the end of the file"),
                Arguments.of("session a step x { } ignore ▲created_at", COLUMN, "'created_at'"),
                Arguments.of("session a step x { } ignore t.c, ▲created_at\nobserve data", COLUMN, "'created_at'"),
                Arguments.of("session a step x { } ignore t.▲", "a name behind the dot", "the end of the file"),
                Arguments.of("session a step x { } ignore ▲", "a column, written table.column", "the end of the file"),
                Arguments.of("session a step x { } ignore t.▲\"\"", "a name of at least one character", "\"\""),
                Arguments.of("session a step x { } ignore d.s.t▲.c", END, "'.'"),
                Arguments.of("session a step x { } observe ▲everything", "data or reads", "'everything'"),
                Arguments.of(
                        "session a step x { } observe data ▲observe data", "observe once at most", "a second observe"));
    }

    @ParameterizedTest
    @MethodSource("wrongEnds")
    void errorPointsAtTheOffendingWord(String marked, String expected, String found) {
        WrongText.requireError(marked, expected, found);
    }
}
