package dev.rowlock.prover.scenario;

import dev.rowlock.prover.scenario.Token.Kind;
import java.util.Optional;

/** What may stand between a session's name and its first block: {@code transaction}, {@code isolation}, {@code retry}. */
record SessionOptions(boolean transaction, Optional<IsolationLevel> isolation, int attempts, boolean retry) {

    static SessionOptions parse(Tokens tokens) {
        boolean transaction = false;
        Optional<IsolationLevel> isolation = Optional.empty();
        int attempts = 1;
        boolean retry = false;
        while (true) {
            Token option = tokens.peek();
            if (tokens.takeWord("transaction")) {
                SessionParser.requireOnce(option, !transaction);
                transaction = true;
            } else if (tokens.takeWord("isolation")) {
                SessionParser.requireOnce(option, isolation.isEmpty());
                isolation = Optional.of(level(tokens));
            } else if (tokens.takeWord("retry")) {
                SessionParser.requireOnce(option, !retry);
                retry = true;
                attempts = tokens.number(1, SessionSpec.MAX_ATTEMPTS, "a number of attempts");
            } else {
                return new SessionOptions(transaction, isolation, attempts, retry);
            }
        }
    }

    /** The options not given, for a message that says what could follow. */
    String stillPossible() {
        return (transaction ? "" : "transaction, ")
                + (isolation.isPresent() ? "" : "isolation, ")
                + (retry ? "" : "retry, ");
    }

    private static IsolationLevel level(Tokens tokens) {
        Token first = tokens.peek();
        if (first.kind() == Kind.QUOTED) {
            tokens.next();
            return IsolationLevel.of(first.text().strip().replaceAll("\\s+", " "))
                    .orElseThrow(() -> unknown(first, first.description()));
        }
        if (first.kind() != Kind.WORD) {
            throw unknown(first, first.description());
        }
        StringBuilder word = new StringBuilder(tokens.next().text());
        int end = first.end();
        while (tokens.peek().isPunctuation('-')
                && tokens.peek().begin() == end
                && tokens.peek(1).kind() == Kind.WORD
                && tokens.peek(1).begin() == end + 1) {
            tokens.next();
            end = tokens.peek().end();
            word.append('-').append(tokens.next().text());
        }
        return IsolationLevel.of(word.toString())
                .orElseThrow(() -> unknown(first, "'" + Token.shortened(word.toString()) + "'"));
    }

    private static ScenarioException unknown(Token token, String found) {
        return new ScenarioException(
                token.position(),
                "read-committed, repeatable-read, serializable, or one of SQL's names for them in quotes",
                found);
    }
}
