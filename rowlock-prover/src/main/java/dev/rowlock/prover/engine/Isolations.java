package dev.rowlock.prover.engine;

import dev.rowlock.prover.scenario.IsolationLevel;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Puts another isolation level into SQL that names one. */
final class Isolations {
    private static final Pattern LEVEL = Pattern.compile(
            "\\bISOLATION\\s+LEVEL\\s+(SERIALIZABLE|REPEATABLE\\s+READ|READ\\s+COMMITTED|READ\\s+UNCOMMITTED)\\b",
            Pattern.CASE_INSENSITIVE);

    private Isolations() {}

    /** The last level that the SQL names; READ UNCOMMITTED is READ COMMITTED. */
    static Optional<IsolationLevel> named(String sql) {
        return LEVEL.matcher(sql)
                .results()
                .map(found -> found.group(1).toUpperCase(Locale.ROOT).replaceAll("\\s+", " "))
                .map(name -> name.equals("READ UNCOMMITTED") ? "READ COMMITTED" : name)
                .reduce((first, second) -> second)
                .flatMap(IsolationLevel::of);
    }

    static String override(String sql, IsolationLevel level) {
        return LEVEL.matcher(sql).replaceAll(Matcher.quoteReplacement("ISOLATION LEVEL " + level.sql()));
    }
}
