package dev.rowlock.prover.scenario;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Sessions that are not written as they must be. A {@code ▲} marks the place that the error must point at. */
class SessionErrorsTest {
    private static final String LEVELS =
            "read-committed, repeatable-read, serializable, or one of SQL's names for them in quotes";

    private static final String ATTEMPTS = "a number of attempts from 1 to 100";

    static Stream<Arguments> wrongSessions() {
        return Stream.of(
                Arguments.of("session ▲{ }", "the name of a session", "a block { … }"),
                Arguments.of(
                        "session ▲step step x { }",
                        "the name of a session",
                        "the reserved word step (in quotes it is a name)"),
                Arguments.of(
                        "session a step x { }\nsession ▲a step y { }",
                        "a session name of its own",
                        "'a', already used at 1:9"),
                Arguments.of("session a ▲", "transaction, isolation, retry, setup or step", "the end of the file"),
                Arguments.of("session a retry 2 ▲teardown { }", "transaction, isolation, setup or step", "'teardown'"),
                Arguments.of("session a setup { } ▲setup { }", "step", "'setup'"),
                Arguments.of("session a setup ▲step", "a block { … } after setup", "'step'"),
                Arguments.of(
                        "session a transaction ▲transaction step x { }",
                        "transaction once at most",
                        "a second transaction"),
                Arguments.of("session a retry 1 ▲retry 1 step x { }", "retry once at most", "a second retry"),
                Arguments.of(
                        "session a isolation serializable ▲isolation serializable",
                        "isolation once at most",
                        "a second isolation"),
                Arguments.of("session a retry ▲0 step x { }", ATTEMPTS, "0"),
                Arguments.of("session a retry ▲101 step x { }", ATTEMPTS, "101"),
                Arguments.of("session a retry ▲-3 step x { }", ATTEMPTS, "-3"),
                Arguments.of("session a retry ▲step x { }", ATTEMPTS, "'step'"),
                Arguments.of("session a isolation ▲snapshot step x { }", LEVELS, "'snapshot'"),
                Arguments.of("session a isolation ▲read-un-committed step x { }", LEVELS, "'read-un-committed'"),
                Arguments.of("session a isolation ▲repeatable read step x { }", LEVELS, "'repeatable'"),
                Arguments.of("session a isolation ▲read - committed step x { }", LEVELS, "'read'"),
                Arguments.of("session a isolation ▲\"read uncommitted\" step x { }", LEVELS, "\"read uncommitted\""),
                Arguments.of("session a isolation ▲{ } step x { }", LEVELS, "a block { … }"));
    }

    @ParameterizedTest
    @MethodSource("wrongSessions")
    void errorPointsAtTheOffendingPartOfASession(String marked, String expected, String found) {
        WrongText.requireError(marked, expected, found);
    }
}
