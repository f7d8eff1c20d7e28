package dev.rowlock.prover.engine;

import dev.rowlock.prover.scenario.IsolationLevel;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Puts another isolation level into SQL that names one. */
final class Isolations {
    private static final Pattern LEVEL = Pattern.compile(
            "\\bISOLATION\\s+LEVEL\\s+(SERIALIZABLE|REPEATABLE\\s+READ|READ\\s+COMMITTED|READ\\s+UNCOMMITTED)\\b",
            Pattern.CASE_INSENSITIVE);

    private Isolations() {}

    static String override(String sql, IsolationLevel level) {
        return LEVEL.matcher(sql).replaceAll(Matcher.quoteReplacement("ISOLATION LEVEL " + level.sql()));
    }
}
