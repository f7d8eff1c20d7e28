package dev.rowlock.prover.scenario;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Permutations that no tester could run. A {@code ▲} marks the place that the error must point at. */
class PermutationErrorsTest {
    private static final String NOTICES = "a number of notices from 0 to 2147483647";

    static Stream<Arguments> wrongPermutations() {
        return Stream.of(
                Arguments.of("session a step x { } step y { } permutation x ▲z", "the name of a step: x, y", "'z'"),
                Arguments.of("session a step x { } permutation ▲", "the name of a step", "the end of the file"),
                Arguments.of("session a step x { } permutation x(▲)", "'*' or the name of a step", "')'"),
                Arguments.of("session a step x { } permutation x(* ▲x", "',' or ')' behind a blocker", "'x'"),
                Arguments.of("session a step x { } permutation x(*)▲(*)", "the name of a step", "'('"),
                Arguments.of("session a step x { } permutation x(▲y)", "a step of the same permutation", "'y'"),
                Arguments.of(
                        "session a step x { } session b step y { } permutation x(▲y)",
                        "a step of the same permutation",
                        "'y'"),
                Arguments.of(
                        "session a step x { } step y { } permutation x(▲y) y",
                        "a step of another session",
                        "'y' of the same one, a"),
                Arguments.of(
                        "session a step x { } session b step y { } permutation x(*, ▲z notices 1) y",
                        "a step of the same permutation",
                        "'z'"),
                Arguments.of("session a step x { } session b step y { } permutation x(y notices ▲) y", NOTICES, "')'"),
                Arguments.of(
                        "session a step x { } session b step y { } permutation x(y notices ▲2147483648) y",
                        NOTICES,
                        "2147483648"));
    }

    @ParameterizedTest
    @MethodSource("wrongPermutations")
    void errorPointsAtTheOffendingStepOrBlocker(String marked, String expected, String found) {
        WrongText.requireError(marked, expected, found);
    }
}
