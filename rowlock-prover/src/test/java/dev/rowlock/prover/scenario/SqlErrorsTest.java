package dev.rowlock.prover.scenario;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** SQL that can be seen to be wrong without a server. A {@code ▲} marks the place that the error must point at. */
class SqlErrorsTest {
    private static final String NO_TRANSACTION =
            "no BEGIN, COMMIT or ROLLBACK in a session with transaction, which has one around all its steps";

    private static final String BINDS_A = "a name that an earlier step of session a binds with into";
    private static final String NO_NAMES = "no :name here, only steps can use values";

    static Stream<Arguments> unboundNames() {
        return Stream.of(
                Arguments.of("session a step x { SELECT 1,\n  ▲:v; }", BINDS_A, ":v"),
                Arguments.of("session a step x into v when { ▲:v > 0 } { }", BINDS_A, ":v"),
                Arguments.of("session a step x into v { SELECT 1, ▲:v; }", BINDS_A, ":v"),
                Arguments.of("session a step x { ▲:v } step y into v { }", BINDS_A, ":v"),
                Arguments.of(
                        "session a step x into v { } session b step y { ▲:v }",
                        "a name that an earlier step of session b binds with into",
                        ":v"),
                Arguments.of("session a step x into v { } step y { :v ▲:V }", BINDS_A, ":V"),
                Arguments.of("setup { ▲:v }", NO_NAMES, ":v"),
                Arguments.of("teardown { ▲:v } session", NO_NAMES, ":v"),
                Arguments.of("session a setup { ▲:v } step x into v { }", NO_NAMES, ":v"),
                Arguments.of("session a step x into v { } teardown { ▲:v }", NO_NAMES, ":v"),
                Arguments.of("session a step x into v { } invariant \"i\" { ▲:v }", NO_NAMES, ":v"));
    }

    @ParameterizedTest
    @MethodSource("unboundNames")
    void nameThatNothingBindsIsTold(String marked, String expected, String found) {
        WrongText.requireError(marked, expected, found);
    }

    static Stream<Arguments> transactionsWithin() {
        return Stream.of(
                Arguments.of("session a transaction step x { ▲BEGIN; }", NO_TRANSACTION, "BEGIN in step x"),
                Arguments.of("session a transaction step x { ▲start transaction; }", NO_TRANSACTION, "START in step x"),
                Arguments.of(
                        "session a transaction step x { } step y { SELECT 1;\n/* c */ ▲commit }",
                        NO_TRANSACTION,
                        "COMMIT in step y"),
                Arguments.of("session a transaction step x { ▲ROLLBACK }", NO_TRANSACTION, "ROLLBACK in step x"),
                Arguments.of(
                        "session a transaction step x { ▲ROLLBACK WORK AND CHAIN }",
                        NO_TRANSACTION,
                        "ROLLBACK in step x"),
                Arguments.of("session a transaction step x { ▲END; }", NO_TRANSACTION, "END in step x"),
                Arguments.of("session a transaction step x { ▲ABORT; }", NO_TRANSACTION, "ABORT in step x"),
                Arguments.of(
                        "session a transaction step x { ▲PREPARE TRANSACTION 'p'; }",
                        NO_TRANSACTION,
                        "PREPARE TRANSACTION in step x"),
                Arguments.of(
                        "session a transaction setup { ▲BEGIN; } step x { }", NO_TRANSACTION, "BEGIN in the setup"));
    }

    @ParameterizedTest
    @MethodSource("transactionsWithin")
    void transactionInsideATransactionIsTold(String marked, String expected, String found) {
        WrongText.requireError(marked, expected, found);
    }
}
