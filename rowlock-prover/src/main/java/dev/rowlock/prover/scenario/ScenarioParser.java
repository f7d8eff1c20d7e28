package dev.rowlock.prover.scenario;

import dev.rowlock.prover.scenario.Token.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Parses a whole file: setups, teardown, sessions, then what stands at the end in any order. */
final class ScenarioParser {
    private static final String AT_THE_END = "permutation, invariant, ignore, observe or the end of the file";

    private final String name;
    private final Tokens tokens;
    private final Map<String, StepHome> steps = new LinkedHashMap<>();
    private final List<PermutationSpec> permutations = new ArrayList<>();
    private final List<InvariantSpec> invariants = new ArrayList<>();
    private final List<ColumnRef> ignored = new ArrayList<>();
    private @Nullable Observation observe;

    ScenarioParser(String name, String text) {
        this.name = name;
        this.tokens = new Tokens(new Scanner(text, new Position(name, 1, 1)));
    }

    Scenario parse() {
        if (tokens.peek().kind() == Kind.END) {
            throw new ScenarioException(tokens.peek().position(), "setup, teardown or session", "an empty file");
        }
        List<SqlBlock> setups = new ArrayList<>();
        Optional<SqlBlock> block = tokens.blockAfter("setup");
        while (block.isPresent()) {
            setups.add(block.get());
            block = tokens.blockAfter("setup");
        }
        Optional<SqlBlock> teardown = tokens.blockAfter("teardown");
        setups.forEach(SessionChecks::requireNoParameters);
        teardown.ifPresent(SessionChecks::requireNoParameters);
        List<SessionSpec> sessions = sessions(teardown.isPresent());
        parseEnd(sessions.get(sessions.size() - 1).teardown().isPresent());
        return new Scenario(
                name,
                setups,
                teardown,
                sessions,
                permutations,
                invariants,
                ignored,
                observe == null ? Observation.READS : observe);
    }

    private List<SessionSpec> sessions(boolean behindTeardown) {
        SessionParser parser = new SessionParser(tokens, steps);
        List<SessionSpec> sessions = new ArrayList<>();
        while (tokens.takeWord("session")) {
            sessions.add(parser.session());
        }
        if (sessions.isEmpty()) {
            throw Tokens.unexpected(tokens.peek(), behindTeardown ? "session" : "setup, teardown or session");
        }
        return sessions;
    }

    private void parseEnd(boolean behindTeardown) {
        PermutationParser permutation = new PermutationParser(tokens, steps);
        while (tokens.peek().kind() != Kind.END) {
            Token word = tokens.peek();
            if (tokens.takeWord("permutation")) {
                permutations.add(permutation.permutation(word.position()));
            } else if (tokens.takeWord("invariant")) {
                invariants.add(invariant());
            } else if (tokens.takeWord("ignore")) {
                parseIgnored();
            } else if (tokens.takeWord("observe")) {
                SessionParser.requireOnce(word, observe == null);
                observe = observation();
            } else {
                boolean behindSessions =
                        permutations.isEmpty() && invariants.isEmpty() && ignored.isEmpty() && observe == null;
                String before = !behindSessions ? "" : behindTeardown ? "session, " : "step, teardown, session, ";
                throw Tokens.unexpected(word, before + AT_THE_END);
            }
        }
    }

    private InvariantSpec invariant() {
        Token text = tokens.peek();
        if (text.kind() != Kind.QUOTED) {
            throw Tokens.unexpected(text, "what the invariant says, in quotes");
        }
        tokens.next();
        SqlBlock sql = tokens.block("the invariant's block { … }");
        SessionChecks.requireNoParameters(sql);
        return new InvariantSpec(text.text(), sql, text.position());
    }

    private void parseIgnored() {
        do {
            ignored.add(ColumnParser.column(tokens));
        } while (tokens.takePunctuation(','));
    }

    private Observation observation() {
        if (tokens.takeWord("data")) {
            return Observation.DATA;
        }
        if (tokens.takeWord("reads")) {
            return Observation.READS;
        }
        throw Tokens.unexpected(tokens.peek(), "data or reads");
    }
}
