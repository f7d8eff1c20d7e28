package dev.rowlock.prover.scenario;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Steps that are not written as they must be. A {@code ▲} marks the place that the error must point at. */
class StepErrorsTest {
    private static final String ROWS = "a number of rows from 0 to 2147483647";
    private static final String PLAIN = "a plain name, as it has to be written behind a colon";
    private static final String BLOCK = "the step's block { … }, or into, when or expect before it";

    static Stream<Arguments> wrongSteps() {
        return Stream.of(
                Arguments.of(
                        "session a step x { }\nsession b step ▲x { }",
                        "a step name of its own",
                        "'x', already used at 1:16"),
                Arguments.of(
                        "session a step ▲notices { }",
                        "the name of a step",
                        "the reserved word notices (in quotes it is a name)"),
                Arguments.of("session a step x ▲y { }", BLOCK, "'y'"),
                Arguments.of("session a step x ▲", BLOCK, "the end of the file"),
                Arguments.of("session a step x into v ▲into w { }", "into once at most", "a second into"),
                Arguments.of("session a step x when { c } ▲when { c } { }", "when once at most", "a second when"),
                Arguments.of(
                        "session a step x expect 1 row ▲expect 1 row { }", "expect once at most", "a second expect"),
                Arguments.of(
                        "session a step x into v, w, ▲v { }", "a name that the step does not bind yet", "'v' again"),
                Arguments.of("session a step x into v, ▲{ }", "a name to bind a column to", "a block { … }"),
                Arguments.of("session a step x into ▲\"a b\" { }", PLAIN, "\"a b\""),
                Arguments.of("session a step x into ▲\"\" { }", PLAIN, "\"\""),
                Arguments.of("session a step x when ▲c { }", "a condition in a block { … }", "'c'"),
                Arguments.of("session a step x when ▲{ -- c\n } { }", "a condition between the braces", "none"),
                Arguments.of("session a step x expect ▲-1 row { }", ROWS, "-1"),
                Arguments.of("session a step x expect ▲2147483648 rows { }", ROWS, "2147483648"),
                Arguments.of("session a step x expect ▲99999999999999999999 rows { }", ROWS, "99999999999999999999"),
                Arguments.of("session a step x expect ▲row { }", ROWS, "'row'"),
                Arguments.of("session a step x expect 1 ▲{ }", "row or rows", "a block { … }"));
    }

    @ParameterizedTest
    @MethodSource("wrongSteps")
    void errorPointsAtTheOffendingPartOfAStep(String marked, String expected, String found) {
        WrongText.requireError(marked, expected, found);
    }
}
