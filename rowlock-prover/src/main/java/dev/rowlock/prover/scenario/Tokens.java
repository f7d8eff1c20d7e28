package dev.rowlock.prover.scenario;

import dev.rowlock.prover.scenario.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The tokens of a file as the parsers take them: one after the other, with a look at the next few. */
final class Tokens {
    /** The words that PostgreSQL's tester never takes as a name without quotes. */
    private static final Set<String> RESERVED =
            Set.of("notices", "permutation", "session", "setup", "step", "teardown");

    private final Scanner scanner;
    private final List<Token> ahead = new ArrayList<>();

    Tokens(Scanner scanner) {
        this.scanner = scanner;
    }

    Token peek() {
        return peek(0);
    }

    Token peek(int distance) {
        while (ahead.size() <= distance) {
            ahead.add(scanner.next());
        }
        return ahead.get(distance);
    }

    Token next() {
        Token token = peek();
        ahead.remove(0);
        return token;
    }

    boolean takeWord(String word) {
        return takeIf(peek().isWord(word));
    }

    boolean takePunctuation(char c) {
        return takeIf(peek().isPunctuation(c));
    }

    /** Takes a name as PostgreSQL's tester knows them. */
    Token name(String expected) {
        Token token = peek();
        if (isReserved(token)) {
            throw new ScenarioException(
                    token.position(), expected, "the reserved word " + token.text() + " (in quotes it is a name)");
        }
        return anyName(expected);
    }

    /** Takes a name where nothing else can stand, so that no word is reserved. */
    Token anyName(String expected) {
        Token token = peek();
        if (token.kind() != Kind.WORD && token.kind() != Kind.QUOTED) {
            throw unexpected(token, expected);
        }
        return next();
    }

    SqlBlock block(String expected) {
        Token token = peek();
        if (token.kind() != Kind.BLOCK) {
            throw unexpected(token, expected);
        }
        next();
        Position brace = token.position();
        return new SqlBlock(token.text(), new Position(brace.file(), brace.line(), brace.column() + 1));
    }

    /** Takes the word and the block behind it, if the word is next. */
    Optional<SqlBlock> blockAfter(String word) {
        return takeWord(word) ? Optional.of(block("a block { … } after " + word)) : Optional.empty();
    }

    int number(int least, int most, String what) {
        String expected = what + " from " + least + " to " + most;
        Token token = peek();
        if (token.isPunctuation('-') && peek(1).kind() == Kind.NUMBER) {
            throw new ScenarioException(token.position(), expected, "-" + peek(1).description());
        }
        if (token.kind() != Kind.NUMBER) {
            throw unexpected(token, expected);
        }
        long value = valueUpTo(most, token.text());
        if (value < least || value > most) {
            throw unexpected(token, expected);
        }
        next();
        return (int) value;
    }

    static boolean isReserved(Token token) {
        return token.kind() == Kind.WORD && RESERVED.contains(token.text());
    }

    static ScenarioException unexpected(Token token, String expected) {
        return new ScenarioException(token.position(), expected, token.description());
    }

    private boolean takeIf(boolean taken) {
        if (taken) {
            next();
        }
        return taken;
    }

    /** The value of the digits, or some value above the limit: there may be a million of them. */
    private static long valueUpTo(int limit, String digits) {
        long value = 0;
        for (int i = 0; i < digits.length() && value <= limit; i++) {
            value = value * 10 + (digits.charAt(i) - '0');
        }
        return value;
    }
}
