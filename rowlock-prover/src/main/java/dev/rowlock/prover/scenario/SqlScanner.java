package dev.rowlock.prover.scenario;

/**
 * Walks over SQL text and knows where quotes and comments end. An unterminated one reaches to the end of the text: the server
 * is who says so, with its own words.
 */
final class SqlScanner {
    private final String sql;

    SqlScanner(String sql) {
        this.sql = sql;
    }

    /** The end of the comment, line break included, that begins at the offset; the offset itself if none begins there. */
    int afterComment(int offset) {
        if (sql.startsWith("--", offset)) {
            int end = offset;
            while (end < sql.length() && sql.charAt(end) != '\n' && sql.charAt(end) != '\r') {
                end++;
            }
            return Math.min(end + 1, sql.length());
        }
        return sql.startsWith("/*", offset) ? afterBlockComment(offset) : offset;
    }

    /** The end of the quoted text that begins at the offset; the offset itself if none begins there. */
    int afterQuoted(int offset) {
        return switch (sql.charAt(offset)) {
            case '"' -> afterQuote(offset, false);
            case '\'' -> afterQuote(offset, isEscapePrefix(offset - 1));
            case '$' -> afterDollarQuote(offset);
            default -> offset;
        };
    }

    boolean followsIdentifier(int offset) {
        return offset > 0 && isIdentifierPart(sql.charAt(offset - 1));
    }

    static boolean isIdentifierStart(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
    }

    static boolean isIdentifierPart(char c) {
        return isIdentifierStart(c) || (c >= '0' && c <= '9') || c == '$';
    }

    /** PostgreSQL's block comments nest. */
    private int afterBlockComment(int offset) {
        int depth = 0;
        int at = offset;
        while (at < sql.length()) {
            if (sql.startsWith("/*", at)) {
                depth++;
                at += 2;
            } else if (sql.startsWith("*/", at)) {
                depth--;
                at += 2;
                if (depth == 0) {
                    return at;
                }
            } else {
                at++;
            }
        }
        return sql.length();
    }

    private int afterQuote(int offset, boolean backslashEscapes) {
        char quote = sql.charAt(offset);
        int at = offset + 1;
        while (at < sql.length()) {
            char c = sql.charAt(at);
            if (c == quote && at + 1 < sql.length() && sql.charAt(at + 1) == quote) {
                at += 2;
            } else if (c == quote) {
                return at + 1;
            } else {
                at += backslashEscapes && c == '\\' ? 2 : 1;
            }
        }
        return sql.length();
    }

    /** Whether the quote behind this place is that of {@code E'…'}: the letter alone, not the end of a longer word. */
    private boolean isEscapePrefix(int offset) {
        return offset >= 0 && (sql.charAt(offset) == 'E' || sql.charAt(offset) == 'e') && !followsIdentifier(offset);
    }

    private int afterDollarQuote(int offset) {
        if (followsIdentifier(offset)) {
            return offset;
        }
        int at = offset + 1;
        while (at < sql.length() && sql.charAt(at) != '$' && isIdentifierPart(sql.charAt(at))) {
            at++;
        }
        boolean isTag = at < sql.length()
                && sql.charAt(at) == '$'
                && (at == offset + 1 || isIdentifierStart(sql.charAt(offset + 1)));
        if (!isTag) {
            return offset;
        }
        String tag = sql.substring(offset, at + 1);
        int end = sql.indexOf(tag, at + 1);
        return end < 0 ? sql.length() : end + tag.length();
    }
}
