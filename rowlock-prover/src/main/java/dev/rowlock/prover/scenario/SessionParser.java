package dev.rowlock.prover.scenario;

import dev.rowlock.prover.scenario.Token.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parses sessions and their steps. New words are told from names by their place, so all of them stay names elsewhere. */
final class SessionParser {
    private final Tokens tokens;
    private final Map<String, Position> sessions = new HashMap<>();
    private final Map<String, StepHome> steps;

    /**
     * Starts without sessions.
     *
     * @param steps filled with each step's home by its name
     */
    SessionParser(Tokens tokens, Map<String, StepHome> steps) {
        this.tokens = tokens;
        this.steps = steps;
    }

    /** Parses what follows the word {@code session}. */
    SessionSpec session() {
        Token name = tokens.name("the name of a session");
        requireNew(name, sessions.putIfAbsent(name.text(), name.position()), "session");
        SessionOptions options = SessionOptions.parse(tokens);
        Optional<SqlBlock> setup = tokens.blockAfter("setup");
        List<StepSpec> sessionSteps = new ArrayList<>();
        while (tokens.takeWord("step")) {
            sessionSteps.add(step(name.text()));
        }
        if (sessionSteps.isEmpty()) {
            String before = setup.isPresent() ? "" : options.stillPossible() + "setup or ";
            throw Tokens.unexpected(tokens.peek(), before + "step");
        }
        SessionSpec session = new SessionSpec(
                name.text(),
                options.transaction(),
                options.isolation(),
                options.attempts(),
                setup,
                sessionSteps,
                tokens.blockAfter("teardown"),
                name.position());
        SessionChecks.check(session);
        return session;
    }

    private StepSpec step(String session) {
        Token name = tokens.name("the name of a step");
        StepHome known = steps.putIfAbsent(name.text(), new StepHome(session, name.position()));
        requireNew(name, known == null ? null : known.position(), "step");
        List<String> into = List.of();
        Optional<SqlBlock> when = Optional.empty();
        OptionalInt expectRows = OptionalInt.empty();
        while (tokens.peek().kind() == Kind.WORD) {
            Token option = tokens.peek();
            if (tokens.takeWord("into")) {
                requireOnce(option, into.isEmpty());
                into = into();
            } else if (tokens.takeWord("when")) {
                requireOnce(option, when.isEmpty());
                when = Optional.of(condition());
            } else if (tokens.takeWord("expect")) {
                requireOnce(option, expectRows.isEmpty());
                expectRows = OptionalInt.of(rows());
            } else {
                break;
            }
        }
        SqlBlock sql = tokens.block("the step's block { … }, or into, when or expect before it");
        return new StepSpec(name.text(), into, when, expectRows, sql, name.position());
    }

    private List<String> into() {
        Set<String> names = new LinkedHashSet<>();
        do {
            Token name = tokens.anyName("a name to bind a column to");
            if (!isParameterName(name.text())) {
                throw Tokens.unexpected(name, "a plain name, as it has to be written behind a colon");
            }
            if (!names.add(name.text())) {
                throw new ScenarioException(
                        name.position(), "a name that the step does not bind yet", name.description() + " again");
            }
        } while (tokens.takePunctuation(','));
        return List.copyOf(names);
    }

    private SqlBlock condition() {
        Token block = tokens.peek();
        SqlBlock condition = tokens.block("a condition in a block { … }");
        if (Sql.statements(condition.text()).isEmpty()) {
            throw new ScenarioException(block.position(), "a condition between the braces", "none");
        }
        return condition;
    }

    private int rows() {
        int rows = tokens.number(0, Integer.MAX_VALUE, "a number of rows");
        if (!tokens.takeWord("row") && !tokens.takeWord("rows")) {
            throw Tokens.unexpected(tokens.peek(), "row or rows");
        }
        return rows;
    }

    static void requireOnce(Token option, boolean isFirst) {
        if (!isFirst) {
            throw new ScenarioException(
                    option.position(), option.text() + " once at most", "a second " + option.text());
        }
    }

    private static void requireNew(Token name, @Nullable Position known, String kind) {
        if (known != null) {
            throw new ScenarioException(
                    name.position(),
                    "a " + kind + " name of its own",
                    name.description() + ", already used at " + known.line() + ":" + known.column());
        }
    }

    private static boolean isParameterName(String text) {
        return !text.isEmpty()
                && SqlScanner.isIdentifierStart(text.charAt(0))
                && text.chars().allMatch(c -> SqlScanner.isIdentifierPart((char) c));
    }
}
