package dev.rowlock.prover.engine;

import dev.rowlock.prover.engine.Touch.Level;
import dev.rowlock.prover.scenario.IsolationLevel;
import dev.rowlock.prover.scenario.Sql;
import java.util.List;
import java.util.Locale;

/** Follows the transaction control in what a session sends: whether a transaction is open, and at which level. */
final class SessionState {
    private final Level defaultLevel;
    private boolean open;
    private Level level;

    SessionState(IsolationLevel defaultLevel) {
        this.defaultLevel = level(defaultLevel);
        this.level = this.defaultLevel;
    }

    boolean isOpen() {
        return open;
    }

    /** Of the open transaction, or of the next one. */
    Level level() {
        return level;
    }

    /** The session is about to send this; the highest level at which any of it runs. */
    Level sends(String sql) {
        Level highest = level;
        for (Sql.Piece statement : Sql.statements(sql)) {
            List<String> words = Sql.firstWords(statement.text(), 3).stream()
                    .map(word -> word.toUpperCase(Locale.ROOT))
                    .toList();
            String verb = words.isEmpty() ? "" : words.get(0);
            switch (verb) {
                case "BEGIN", "START" -> begin(statement.text());
                case "COMMIT", "END", "ROLLBACK", "ABORT" -> end(words, statement.text());
                case "SET" ->
                    level = Isolations.named(statement.text())
                            .map(SessionState::level)
                            .orElse(level);
                default -> {
                    // Neither begins nor ends a transaction.
                }
            }
            highest = level.compareTo(highest) > 0 ? level : highest;
        }
        return highest;
    }

    private void begin(String sql) {
        if (!open) {
            level = defaultLevel;
        }
        open = true;
        level = Isolations.named(sql).map(SessionState::level).orElse(level);
    }

    private void end(List<String> words, String sql) {
        boolean isToSavepoint = words.contains("TO");
        if (!isToSavepoint && !sql.toUpperCase(Locale.ROOT).contains("CHAIN")) {
            ended();
        }
    }

    /** The transaction has ended. */
    void ended() {
        open = false;
        level = defaultLevel;
    }

    private static Level level(IsolationLevel level) {
        return Level.valueOf(level.name());
    }
}
