package dev.rowlock.prover.scenario;

import dev.rowlock.prover.scenario.Token.Kind;

/**
 * Cuts a scenario file into tokens, as PostgreSQL's tester cuts its specs: a block ends at the first closing brace whatever is
 * around it, a name in quotes holds no line feed, a word may hold any letter beyond ASCII. Added are the dot, the minus and
 * comments of SQL's kind, none of which can stand outside of blocks and comments in a spec.
 */
final class Scanner {
    private static final String PUNCTUATION = ",()*.-";

    private final String text;
    private final Places places;
    private int offset;
    private boolean behindBlock;

    Scanner(String text, Position begin) {
        this.text = text;
        this.places = new Places(text, begin);
    }

    /** The next token; at the end of the text {@link Kind#END}, as often as it is asked for. */
    Token next() {
        skipBlanksAndComments();
        int begin = offset;
        Position position = places.at(begin);
        if (begin == text.length()) {
            return new Token(Kind.END, "", begin, begin, position);
        }
        char c = text.charAt(begin);
        Token token;
        if (c == '{') {
            token = block(position);
        } else if (c == '"') {
            token = quoted(position);
        } else if (SqlScanner.isIdentifierStart(c)) {
            token = word(position);
        } else if (isDigit(c)) {
            token = number(position);
        } else if (PUNCTUATION.indexOf(c) >= 0) {
            token = new Token(Kind.PUNCTUATION, String.valueOf(c), begin, begin + 1, position);
        } else {
            String hint = behindBlock ? " (the block before it ended at its first '}')" : "";
            throw new ScenarioException(position, "a word, a name in quotes or a block", "'" + c + "'" + hint);
        }
        offset = token.end();
        behindBlock = token.kind() == Kind.BLOCK;
        return token;
    }

    private void skipBlanksAndComments() {
        while (offset < text.length()) {
            char c = text.charAt(offset);
            if (c == '#' || text.startsWith("--", offset)) {
                while (offset < text.length() && text.charAt(offset) != '\n' && text.charAt(offset) != '\r') {
                    offset++;
                }
            } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\n') {
                offset++;
            } else {
                return;
            }
        }
    }

    private Token block(Position position) {
        int end = text.indexOf('}', offset);
        if (end < 0) {
            throw new ScenarioException(position, "a '}' that ends the block", "a block without end");
        }
        return new Token(Kind.BLOCK, text.substring(offset + 1, end), offset, end + 1, position);
    }

    private Token quoted(Position position) {
        StringBuilder name = new StringBuilder();
        int at = offset + 1;
        while (at < text.length() && text.charAt(at) != '\n') {
            char c = text.charAt(at);
            if (c != '"') {
                name.append(c);
                at++;
            } else if (text.startsWith("\"\"", at)) {
                name.append('"');
                at += 2;
            } else {
                return new Token(Kind.QUOTED, name.toString(), offset, at + 1, position);
            }
        }
        throw new ScenarioException(position, "a '\"' that ends the name on the same line", "a quote without end");
    }

    private Token word(Position position) {
        int end = offset;
        while (end < text.length() && SqlScanner.isIdentifierPart(text.charAt(end))) {
            end++;
        }
        return new Token(Kind.WORD, text.substring(offset, end), offset, end, position);
    }

    private Token number(Position position) {
        int end = offset;
        while (end < text.length() && isDigit(text.charAt(end))) {
            end++;
        }
        return new Token(Kind.NUMBER, text.substring(offset, end), offset, end, position);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
