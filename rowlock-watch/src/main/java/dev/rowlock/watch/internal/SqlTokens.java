package dev.rowlock.watch.internal;

import dev.rowlock.watch.internal.SqlToken.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts SQL into its pieces by PostgreSQL's lexical rules, without white space and comments. It understands every text: what is not
 * closed ends with the text.
 */
public final class SqlTokens {
    private final String sql;
    private final List<SqlToken> tokens = new ArrayList<>();
    private int at;

    private SqlTokens(String sql) {
        this.sql = sql;
    }

    /** The pieces in their order. */
    public static List<SqlToken> of(String sql) {
        SqlTokens cutting = new SqlTokens(sql);
        while (cutting.at < sql.length()) {
            cutting.next();
        }
        return List.copyOf(cutting.tokens);
    }

    private void next() {
        char c = sql.charAt(at);
        if (Character.isWhitespace(c)) {
            at++;
        } else if (sql.startsWith("--", at)) {
            at = endOfLine();
        } else if (sql.startsWith("/*", at)) {
            at = endOfComment();
        } else if (c == '\'') {
            text(at, at + 1, false);
        } else if (c == '"') {
            quotedName(at);
        } else if (c == '$') {
            dollar();
        } else if (isNameStart(c)) {
            wordOrPrefix();
        } else if (isDigit(c)) {
            add(Kind.NUMBER, endOfNumber());
        } else if (sql.startsWith("??", at)) {
            // JDBC's way to write the operator.
            add(Kind.SYMBOL, at + 2);
        } else {
            add(c == '?' ? Kind.PARAMETER : Kind.SYMBOL, at + 1);
        }
    }

    private void add(Kind kind, int end) {
        tokens.add(new SqlToken(kind, sql.substring(at, end), at, end));
        at = end;
    }

    private int endOfLine() {
        int end = at;
        while (end < sql.length() && sql.charAt(end) != '\n' && sql.charAt(end) != '\r') {
            end++;
        }
        return end;
    }

    /** PostgreSQL's comments nest. */
    private int endOfComment() {
        int depth = 0;
        int end = at;
        while (end < sql.length()) {
            if (sql.startsWith("/*", end)) {
                depth++;
                end += 2;
            } else if (sql.startsWith("*/", end)) {
                depth--;
                end += 2;
                if (depth == 0) {
                    return end;
                }
            } else {
                end++;
            }
        }
        return end;
    }

    private void text(int start, int from, boolean escapes) {
        int end = from;
        while (end < sql.length()) {
            char c = sql.charAt(end);
            if (escapes && c == '\\') {
                end += 2;
            } else if (c != '\'') {
                end++;
            } else if (sql.startsWith("''", end)) {
                end += 2;
            } else {
                end++;
                break;
            }
        }
        end = Math.min(end, sql.length());
        tokens.add(new SqlToken(Kind.TEXT, sql.substring(start, end), start, end));
        at = end;
    }

    private void quotedName(int start) {
        StringBuilder name = new StringBuilder();
        int end = sql.indexOf('"', start) + 1;
        while (end < sql.length()) {
            if (sql.startsWith("\"\"", end)) {
                name.append('"');
                end += 2;
            } else if (sql.charAt(end) == '"') {
                end++;
                break;
            } else {
                name.append(sql.charAt(end++));
            }
        }
        tokens.add(new SqlToken(Kind.QUOTED_NAME, name.toString(), start, end));
        at = end;
    }

    private void dollar() {
        int end = at + 1;
        if (end < sql.length() && isDigit(sql.charAt(end))) {
            while (end < sql.length() && isDigit(sql.charAt(end))) {
                end++;
            }
            add(Kind.PARAMETER, end);
            return;
        }
        if (end < sql.length() && isNameStart(sql.charAt(end))) {
            while (end < sql.length() && isNamePart(sql.charAt(end)) && sql.charAt(end) != '$') {
                end++;
            }
        }
        if (end >= sql.length() || sql.charAt(end) != '$') {
            add(Kind.SYMBOL, at + 1);
            return;
        }
        String tag = sql.substring(at, end + 1);
        int close = sql.indexOf(tag, end + 1);
        add(Kind.TEXT, close < 0 ? sql.length() : close + tag.length());
    }

    private void wordOrPrefix() {
        int end = at + 1;
        while (end < sql.length() && isNamePart(sql.charAt(end))) {
            end++;
        }
        int start = at;
        String word = sql.substring(start, end);
        char next = end < sql.length() ? sql.charAt(end) : ' ';
        if (next == '\'' && word.length() == 1 && "eEbBxXnN".contains(word)) {
            text(start, end + 1, word.equalsIgnoreCase("e"));
        } else if (word.equalsIgnoreCase("u") && sql.startsWith("&'", end)) {
            text(start, end + 2, false);
        } else if (word.equalsIgnoreCase("u") && sql.startsWith("&\"", end)) {
            quotedName(start);
        } else {
            tokens.add(SqlToken.word(word, start, end));
            at = end;
        }
    }

    private int endOfNumber() {
        int end = at;
        while (end < sql.length() && (isNamePart(sql.charAt(end)) || sql.charAt(end) == '.')) {
            end++;
        }
        return end;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isNameStart(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
    }

    private static boolean isNamePart(char c) {
        return isNameStart(c) || isDigit(c) || c == '$';
    }
}
