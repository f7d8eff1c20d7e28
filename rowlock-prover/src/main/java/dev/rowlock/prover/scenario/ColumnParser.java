package dev.rowlock.prover.scenario;

import dev.rowlock.prover.scenario.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Parses the names of columns: {@code table.column} or {@code schema.table.column}, any part in quotes. */
final class ColumnParser {
    private static final int MAX_PARTS = 3;

    private ColumnParser() {}

    static ColumnRef column(Tokens tokens) {
        Token first = tokens.anyName("a column, written table.column");
        List<String> parts = new ArrayList<>();
        parts.add(part(first));
        while (parts.size() < MAX_PARTS && tokens.takePunctuation('.')) {
            parts.add(part(tokens.anyName("a name behind the dot")));
        }
        int last = parts.size() - 1;
        if (last == 0) {
            throw Tokens.unexpected(first, "a column with its table, written table.column");
        }
        Optional<String> schema = last == 2 ? Optional.of(parts.get(0)) : Optional.empty();
        return new ColumnRef(schema, parts.get(last - 1), parts.get(last), first.position());
    }

    private static String part(Token token) {
        if (token.text().isEmpty()) {
            throw Tokens.unexpected(token, "a name of at least one character");
        }
        return token.kind() == Kind.QUOTED ? token.text() : folded(token.text());
    }

    /** PostgreSQL folds ASCII letters; others stay as they are in a UTF-8 database. */
    private static String folded(String word) {
        StringBuilder folded = new StringBuilder(word.length());
        word.chars().forEach(c -> folded.append((char) (c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c)));
        return folded.toString();
    }
}
