package dev.rowlock.prover.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * As much of SQL's lexical structure as scenarios need: where a statement ends, and where a name stands for a value. Quoted text
 * ({@code '…'}, {@code E'…'}, {@code "…"}, {@code $tag$…$tag$}) and comments ({@code --} and nested {@code /* … *}{@code /}) are
 * left alone.
 */
public final class Sql {

    /**
     * A part of some SQL text.
     *
     * @param text the part itself
     * @param offset where it begins, as a Java string counts, from 0
     */
    public record Piece(String text, int offset) {}

    private Sql() {}

    /**
     * Splits at semicolons outside of quotes, comments and parentheses. The statements come without their semicolon and without
     * blanks and comments before and blanks behind them; one of blanks and comments alone is none. The semicolons inside
     * {@code BEGIN ATOMIC … END} split too.
     */
    public static List<Piece> statements(String sql) {
        SqlScanner scanner = new SqlScanner(sql);
        List<Piece> statements = new ArrayList<>();
        int begin = -1;
        int depth = 0;
        int at = 0;
        while (at < sql.length()) {
            char c = sql.charAt(at);
            int afterComment = scanner.afterComment(at);
            if (afterComment > at) {
                at = afterComment;
                continue;
            }
            if (c == ';' && depth == 0) {
                addStatement(statements, sql, begin, at);
                begin = -1;
                at++;
                continue;
            }
            if (begin < 0 && !Character.isWhitespace(c)) {
                begin = at;
            }
            if (c == '(') {
                depth++;
            } else if (c == ')' && depth > 0) {
                depth--;
            }
            at = Math.max(at + 1, scanner.afterQuoted(at));
        }
        addStatement(statements, sql, begin, sql.length());
        return List.copyOf(statements);
    }

    /**
     * Finds the names that stand for values, written {@code :name}, in the order of the text; the pieces hold the name without
     * its colon and the offset of the colon. Not among them: {@code ::} casts, {@code :=}, and a colon directly behind a word,
     * a number or a closing quote, parenthesis or bracket, as in the array slice {@code a[1:n]}.
     */
    public static List<Piece> parameters(String sql) {
        SqlScanner scanner = new SqlScanner(sql);
        List<Piece> parameters = new ArrayList<>();
        int at = 0;
        while (at < sql.length()) {
            int afterIgnored = Math.max(scanner.afterComment(at), scanner.afterQuoted(at));
            if (afterIgnored > at) {
                at = afterIgnored;
            } else if (sql.startsWith("::", at)) {
                at += 2;
            } else if (isParameter(sql, at)) {
                int end = endOfName(sql, at + 1);
                parameters.add(new Piece(sql.substring(at + 1, end), at));
                at = end;
            } else {
                at++;
            }
        }
        return List.copyOf(parameters);
    }

    /**
     * Puts literals in the places of {@link #parameters(String) names}. They are not looked at again, so a colon in one is
     * harmless; one that begins with a minus is put in parentheses, because with a minus before it the two would begin a comment.
     *
     * @param literals SQL literals by name, each as {@link #literal(String)} makes one or a plain number; null means NULL
     * @throws IllegalArgumentException if the text holds a name that the map lacks
     */
    public static String substitute(String sql, Map<String, @Nullable String> literals) {
        StringBuilder result = new StringBuilder(sql.length() + 16);
        int copied = 0;
        for (Piece parameter : parameters(sql)) {
            if (!literals.containsKey(parameter.text())) {
                throw new IllegalArgumentException("no value for :" + parameter.text() + " in " + sql);
            }
            String literal = literals.get(parameter.text());
            result.append(sql, copied, parameter.offset());
            if (literal == null) {
                result.append("NULL");
            } else if (literal.startsWith("-")) {
                result.append('(').append(literal).append(')');
            } else {
                result.append(literal);
            }
            copied = parameter.offset() + 1 + parameter.text().length();
        }
        return result.append(sql, copied, sql.length()).toString();
    }

    /** Quotes a value as a string literal, which PostgreSQL reads the same whatever {@code standard_conforming_strings} says. */
    public static String literal(String value) {
        String quoted = "'" + value.replace("'", "''") + "'";
        return value.indexOf('\\') < 0 ? quoted : "E" + quoted.replace("\\", "\\\\");
    }

    /** The words that the text begins with, at most so many, comments skipped; ends at the first thing that is not a word. */
    public static List<String> firstWords(String sql, int most) {
        SqlScanner scanner = new SqlScanner(sql);
        List<String> words = new ArrayList<>();
        int at = 0;
        while (at < sql.length() && words.size() < most) {
            int afterComment = scanner.afterComment(at);
            if (afterComment > at) {
                at = afterComment;
            } else if (SqlScanner.isIdentifierStart(sql.charAt(at))) {
                int end = endOfName(sql, at);
                words.add(sql.substring(at, end));
                at = end;
            } else if (Character.isWhitespace(sql.charAt(at))) {
                at++;
            } else {
                break;
            }
        }
        return List.copyOf(words);
    }

    private static void addStatement(List<Piece> statements, String sql, int begin, int end) {
        if (begin >= 0) {
            statements.add(new Piece(sql.substring(begin, end).stripTrailing(), begin));
        }
    }

    private static boolean isParameter(String sql, int at) {
        if (sql.charAt(at) != ':' || at + 1 == sql.length() || !SqlScanner.isIdentifierStart(sql.charAt(at + 1))) {
            return false;
        }
        return at == 0 || !endsAnOperand(sql.charAt(at - 1));
    }

    private static boolean endsAnOperand(char c) {
        return SqlScanner.isIdentifierPart(c) || c == ')' || c == ']' || c == '\'' || c == '"';
    }

    private static int endOfName(String sql, int begin) {
        int end = begin;
        while (end < sql.length() && SqlScanner.isIdentifierPart(sql.charAt(end))) {
            end++;
        }
        return end;
    }
}
