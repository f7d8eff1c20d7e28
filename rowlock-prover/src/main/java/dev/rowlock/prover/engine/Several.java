package dev.rowlock.prover.engine;

import dev.rowlock.prover.scenario.Sql;
import dev.rowlock.watch.BoundSql;
import dev.rowlock.watch.Call;
import dev.rowlock.watch.Interceptor.Sending;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Looks at calls that send several statements, between which other transactions can come on a server: which ones can be sent one
 * by one, and which ones leave a race undecided because they cannot.
 */
final class Several {
    /** Between parts of this size the driver may commit; it does so once it expects 64,000 bytes of answers, at 250 each. */
    private static final int MOST_IN_AUTO_COMMIT = 200;

    /** What answers with a count and nothing else. The size of anything else decides where the driver commits. */
    private static final Set<String> COUNTED = Set.of("INSERT", "UPDATE", "DELETE", "MERGE");

    private static final Pattern RETURNING = Pattern.compile("\\breturning\\b", Pattern.CASE_INSENSITIVE);

    private static final Set<String> SCOPES = Set.of("LOCAL", "SESSION");

    /** Asks for nothing but a number. */
    private static final Pattern NUMBER =
            Pattern.compile("SELECT\\s+\\d+(\\s+AS\\s+(\"[^\"]*\"|\\w+))?", Pattern.CASE_INSENSITIVE);

    private Several() {}

    /**
     * Why other transactions must be able to come into the middle of this call, which cannot be let happen; empty if nothing
     * between its statements can be told from something before or behind them.
     */
    static Optional<String> doubt(String actor, Call call) {
        return switch (call.kind()) {
            case STATEMENT, BATCH ->
                call.statements().stream()
                        .map(BoundSql::sql)
                        .filter(Several::matters)
                        .findFirst()
                        .map(sql -> "actor " + actor
                                + " sends several statements in one text, between which others can come on a"
                                + " server but not here; send them one by one: " + sql);
            default -> Optional.empty();
        };
    }

    /**
     * At most one may touch data. The end of a transaction before it shows others what that one did, and what only looks takes
     * a snapshot for the ones behind it.
     */
    static boolean matters(String sql) {
        if (sql.indexOf(';') < 0) {
            return false;
        }
        boolean touched = false;
        boolean before = false;
        for (Sql.Piece piece : Sql.statements(sql)) {
            Part part = part(piece.text());
            if (part == Part.TOUCHES && (touched || before)) {
                return true;
            }
            touched |= part == Part.TOUCHES;
            before |= part == Part.ENDS || part == Part.LOOKS;
        }
        return false;
    }

    private enum Part {
        /** Nothing that others can see, or wait for. */
        NOTHING,
        /** A snapshot at most. */
        LOOKS,
        /** Ends a transaction. */
        ENDS,
        /** Data, or it is not known what. */
        TOUCHES
    }

    private static Part part(String statement) {
        List<String> words = Sql.firstWords(statement, 3).stream()
                .map(word -> word.toUpperCase(Locale.ROOT))
                .toList();
        String first = word(words, 0);
        String second = word(words, 1);
        return switch (first) {
            case "BEGIN", "START", "SAVEPOINT", "RELEASE", "SHOW" -> Part.NOTHING;
            case "COMMIT", "END", "ROLLBACK", "ABORT" ->
                words.contains("TO") || second.equals("PREPARED") ? Part.TOUCHES : Part.ENDS;
            case "SET" ->
                Footprints.isHarmlessSetting(SCOPES.contains(second) ? word(words, 2) : second)
                        ? Part.NOTHING
                        : Part.TOUCHES;
            default ->
                NUMBER.matcher(statement).matches() || Footprints.asksForId(statement) ? Part.LOOKS : Part.TOUCHES;
        };
    }

    private static String word(List<String> words, int at) {
        return at < words.size() ? words.get(at) : "";
    }

    /** How a batch is to be sent so that others can come between its statements, or why that cannot be. */
    record Plan(Sending sending, Optional<String> doubt) {
        private static Plan doubting(String reason) {
            return new Plan(Sending.TOGETHER, Optional.of(reason));
        }
    }

    static Plan plan(String actor, Call batch, boolean makesKeys, DriverSession session) throws SQLException {
        String which =
                "actor " + actor + " sends a batch between whose statements others can come on a server but not here, ";
        String first = ": " + batch.statements().get(0).sql();
        if (batch.statements().stream().anyMatch(BoundSql::hasStreams)) {
            return Plan.doubting(
                    which + "because streams among its values can be sent only once; bind bytes or text" + first);
        }
        if (session.savesAutomatically()) {
            return Plan.doubting(
                    which + "because autosave sets one savepoint for all of them; turn autosave off" + first);
        }
        if (!batch.connection().getAutoCommit() || session.inTransaction()) {
            return new Plan(Sending.ONE_BY_ONE, Optional.empty());
        }
        boolean isOneTransaction = batch.statements().size() <= MOST_IN_AUTO_COMMIT
                && !makesKeys
                && !session.mayQuerySimply()
                && !batch.connection().isReadOnly()
                && batch.statements().stream().map(BoundSql::sql).allMatch(Several::isCounted);
        return isOneTransaction
                ? new Plan(Sending.ONE_BY_ONE_IN_A_TRANSACTION, Optional.empty())
                : Plan.doubting(which
                        + "because in auto-commit mode the driver may commit in the middle of it; turn auto-commit"
                        + " off" + first);
    }

    private static boolean isCounted(String sql) {
        return Sql.statements(sql).size() == 1
                && Sql.firstWords(sql, 1).stream().allMatch(word -> COUNTED.contains(word.toUpperCase(Locale.ROOT)))
                && !RETURNING.matcher(sql).find();
    }
}
