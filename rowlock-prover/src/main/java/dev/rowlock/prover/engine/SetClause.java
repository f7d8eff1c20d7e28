package dev.rowlock.prover.engine;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** As much of an UPDATE's text as a plan does not show: which columns it sets. */
final class SetClause {
    private static final Pattern NOT_PLAIN_TEXT = Pattern.compile("--|/\\*|\\$|U&", Pattern.CASE_INSENSITIVE);
    private static final Pattern SET_CLAUSE = Pattern.compile("\\bSET\\b", Pattern.CASE_INSENSITIVE);

    private SetClause() {}

    /** Whether an UPDATE may set one of these columns. Where the text is not simple enough to tell, it may. */
    static boolean maySetAny(String sql, Set<String> columns) {
        Matcher set = SET_CLAUSE.matcher(sql);
        if (!sql.stripLeading().toUpperCase(Locale.ROOT).startsWith("UPDATE")
                || NOT_PLAIN_TEXT.matcher(sql).find()
                || !set.find()) {
            return true;
        }
        String list = untilWhere(sql.substring(set.end()));
        return columns.stream()
                .anyMatch(column -> Pattern.compile(
                                "(?<![a-z0-9_])" + Pattern.quote(column) + "(?![a-z0-9_])", Pattern.CASE_INSENSITIVE)
                        .matcher(list)
                        .find());
    }

    private static String untilWhere(String text) {
        return Nesting.ownLevel(text)
                .filter(at -> isWhere(text, at))
                .mapToObj(at -> text.substring(0, at))
                .findFirst()
                .orElse(text);
    }

    private static boolean isWhere(String text, int at) {
        int end = at + "where".length();
        return text.regionMatches(true, at, "where", 0, "where".length())
                && (at == 0 || Character.isWhitespace(text.charAt(at - 1)))
                && (end == text.length() || Character.isWhitespace(text.charAt(end)) || text.charAt(end) == '(');
    }
}
