package dev.rowlock.prover.scenario;

import dev.rowlock.prover.scenario.Token.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Parses permutations and checks their names as PostgreSQL's tester does. */
final class PermutationParser {
    private static final int SHOWN_STEPS = 8;

    private final Tokens tokens;
    private final Map<String, StepHome> steps;

    PermutationParser(Tokens tokens, Map<String, StepHome> steps) {
        this.tokens = tokens;
        this.steps = steps;
    }

    /** Parses what follows the word {@code permutation}, which stands at the position. */
    PermutationSpec permutation(Position position) {
        List<PermutationStep> order = new ArrayList<>();
        do {
            order.add(step());
        } while (nextIsStep());
        Set<String> names = new HashSet<>();
        order.forEach(step -> names.add(step.step()));
        for (PermutationStep step : order) {
            step.blockers().forEach(blocker -> check(blocker, step, names));
        }
        return new PermutationSpec(order, position);
    }

    private PermutationStep step() {
        Token name = tokens.name("the name of a step");
        if (!steps.containsKey(name.text())) {
            throw Tokens.unexpected(name, "the name of a step: " + knownSteps());
        }
        List<Blocker> blockers = new ArrayList<>();
        if (tokens.takePunctuation('(')) {
            do {
                blockers.add(blocker());
            } while (tokens.takePunctuation(','));
            if (!tokens.takePunctuation(')')) {
                throw Tokens.unexpected(tokens.peek(), "',' or ')' behind a blocker");
            }
        }
        return new PermutationStep(name.text(), blockers, name.position());
    }

    private Blocker blocker() {
        Token first = tokens.peek();
        if (tokens.takePunctuation('*')) {
            return new Blocker.Any(first.position());
        }
        Token name = tokens.name("'*' or the name of a step");
        if (tokens.takeWord("notices")) {
            int count = tokens.number(0, Integer.MAX_VALUE, "a number of notices");
            return new Blocker.Notices(name.text(), count, name.position());
        }
        return new Blocker.Step(name.text(), name.position());
    }

    /**
     * A spec may have steps that are called as what can follow a permutation here. So where such a step exists the word means
     * the step, except where what comes behind it can be nothing of a spec.
     */
    private boolean nextIsStep() {
        Token token = tokens.peek();
        if (token.kind() == Kind.QUOTED) {
            return true;
        }
        if (token.kind() != Kind.WORD) {
            return token.isPunctuation('(');
        }
        return switch (token.text()) {
            case "invariant" ->
                isStep(token)
                        && !(tokens.peek(1).kind() == Kind.QUOTED
                                && tokens.peek(2).kind() == Kind.BLOCK);
            case "ignore" -> isStep(token) && !tokens.peek(2).isPunctuation('.');
            case "observe" -> isStep(token);
            default -> !Tokens.isReserved(token);
        };
    }

    private boolean isStep(Token token) {
        return steps.containsKey(token.text());
    }

    private void check(Blocker blocker, PermutationStep step, Set<String> names) {
        String other;
        if (blocker instanceof Blocker.Step awaited) {
            other = awaited.step();
        } else if (blocker instanceof Blocker.Notices notices) {
            other = notices.step();
        } else {
            return;
        }
        if (!names.contains(other)) {
            throw new ScenarioException(
                    blocker.position(), "a step of the same permutation", "'" + Token.shortened(other) + "'");
        }
        if (sessionOf(other).equals(sessionOf(step.step()))) {
            throw new ScenarioException(
                    blocker.position(),
                    "a step of another session",
                    "'" + Token.shortened(other) + "' of the same one, " + Token.shortened(sessionOf(other)));
        }
    }

    private String sessionOf(String step) {
        StepHome home = steps.get(step);
        if (home == null) {
            throw new IllegalStateException("step " + step + " was not checked");
        }
        return home.session();
    }

    private String knownSteps() {
        List<String> shown =
                steps.keySet().stream().limit(SHOWN_STEPS).map(Token::shortened).toList();
        return String.join(", ", shown) + (steps.size() > SHOWN_STEPS ? ", …" : "");
    }
}
