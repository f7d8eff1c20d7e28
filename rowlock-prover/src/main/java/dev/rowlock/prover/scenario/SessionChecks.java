package dev.rowlock.prover.scenario;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** What can be said of a session's SQL without a server: values that nothing binds, transactions inside a transaction. */
final class SessionChecks {
    private static final Set<String> BEGINS = Set.of("BEGIN", "START");
    private static final Set<String> ENDS = Set.of("COMMIT", "END", "ABORT", "ROLLBACK");
    private static final Set<String> NOISE = Set.of("WORK", "TRANSACTION");

    private SessionChecks() {}

    static void check(SessionSpec session) {
        session.setup().ifPresent(SessionChecks::requireNoParameters);
        Set<String> bound = new HashSet<>();
        String binding =
                "a name that an earlier step of session " + Token.shortened(session.name()) + " binds with into";
        for (StepSpec step : session.steps()) {
            step.when().ifPresent(when -> requireBound(when, bound, binding));
            requireBound(step.sql(), bound, binding);
            bound.addAll(step.into());
        }
        session.teardown().ifPresent(SessionChecks::requireNoParameters);
        if (session.transaction()) {
            session.setup().ifPresent(setup -> requireNoTransaction(setup, "the setup"));
            session.steps().forEach(step -> requireNoTransaction(step.sql(), "step " + Token.shortened(step.name())));
        }
    }

    /** For blocks that no step comes before: nothing can be bound there. */
    static void requireNoParameters(SqlBlock block) {
        requireBound(block, Set.of(), "no :name here, only steps can use values");
    }

    private static void requireBound(SqlBlock block, Set<String> bound, String expected) {
        for (Sql.Piece parameter : Sql.parameters(block.text())) {
            if (!bound.contains(parameter.text())) {
                throw new ScenarioException(
                        block.positionOf(parameter.offset()), expected, ":" + Token.shortened(parameter.text()));
            }
        }
    }

    private static void requireNoTransaction(SqlBlock block, String where) {
        for (Sql.Piece statement : Sql.statements(block.text())) {
            transactionCommand(statement.text()).ifPresent(command -> {
                throw new ScenarioException(
                        block.positionOf(statement.offset()),
                        "no BEGIN, COMMIT or ROLLBACK in a session with transaction, which has one around all its steps",
                        command + " in " + where);
            });
        }
    }

    /** The command's word if it begins or ends a transaction. ROLLBACK TO a savepoint does neither. */
    private static Optional<String> transactionCommand(String statement) {
        List<String> words = Sql.firstWords(statement, 3).stream()
                .map(word -> word.toUpperCase(Locale.ROOT))
                .toList();
        String first = wordAt(words, 0);
        if (BEGINS.contains(first)) {
            return Optional.of(first);
        }
        if (first.equals("PREPARE") && wordAt(words, 1).equals("TRANSACTION")) {
            return Optional.of("PREPARE TRANSACTION");
        }
        if (!ENDS.contains(first)) {
            return Optional.empty();
        }
        String goal = wordAt(words, NOISE.contains(wordAt(words, 1)) ? 2 : 1);
        return goal.equals("TO") ? Optional.empty() : Optional.of(first);
    }

    private static String wordAt(List<String> words, int index) {
        return index < words.size() ? words.get(index) : "";
    }
}
