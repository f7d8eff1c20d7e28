package dev.rowlock.watch.trace;

import dev.rowlock.watch.LockClause;
import dev.rowlock.watch.internal.LockScan;
import dev.rowlock.watch.internal.SqlToken;
import dev.rowlock.watch.internal.SqlTokens;
import dev.rowlock.watch.trace.SqlShape.Locked;
import dev.rowlock.watch.trace.SqlShape.Trait;
import dev.rowlock.watch.trace.SqlShape.Verb;
import dev.rowlock.watch.trace.SqlShape.Where;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Reads the statements of a text: what words alone tell, and what the parser adds. */
final class ShapeReader {
    /** Longer texts are not parsed: what generates such has other troubles, and parsing would take too long. */
    static final int LONGEST_PARSED = 20_000;

    /** Deeper nested ones are not: the parser's time grows with each level. */
    static final int DEEPEST_PARSED = 20;

    private ShapeReader() {}

    /** The statements of the text, at least one. */
    static List<SqlShape> read(String sql) {
        List<SqlShape> shapes = new ArrayList<>();
        List<SqlToken> statement = new ArrayList<>();
        int parameters = 0;
        for (SqlToken token : SqlTokens.of(sql)) {
            if (!token.is(';')) {
                statement.add(token);
                continue;
            }
            if (!statement.isEmpty()) {
                shapes.add(read(sql, statement, parameters));
                parameters += parameters(statement);
                statement.clear();
            }
        }
        if (!statement.isEmpty() || shapes.isEmpty()) {
            shapes.add(read(sql, statement, parameters));
        }
        return List.copyOf(shapes);
    }

    private static int parameters(List<SqlToken> tokens) {
        return (int) tokens.stream()
                .filter(token -> token.kind() == SqlToken.Kind.PARAMETER)
                .count();
    }

    private static SqlShape read(String sql, List<SqlToken> tokens, int parametersBefore) {
        if (tokens.isEmpty()) {
            return new SqlShape(
                    sql, Verb.OTHER, true, List.of(), List.of(), Optional.empty(), Where.NONE, List.of(), Set.of(), "");
        }
        int start = tokens.get(0).start();
        String text = sql.substring(start, tokens.get(tokens.size() - 1).end());
        List<LockScan.Found> clauses = LockScan.of(tokens);
        Verb verb = verb(tokens);
        SqlShape known = new SqlShape(
                text,
                verb,
                false,
                locks(clauses),
                LockScan.tablesRead(tokens),
                target(tokens, verb),
                Where.NONE,
                List.of(),
                writesInside(tokens) ? Set.of(Trait.WRITES_INSIDE) : Set.of(),
                form(tokens));
        boolean hasMore = verb == Verb.SELECT || known.writes();
        if (!hasMore || text.length() > LONGEST_PARSED || depth(tokens) > DEEPEST_PARSED) {
            return known;
        }
        return ParsedShape.of(known, withoutClauses(text, start, clauses), parametersBefore);
    }

    /** The parser knows only some of them, and not everywhere. */
    private static String withoutClauses(String text, int start, List<LockScan.Found> clauses) {
        StringBuilder without = new StringBuilder(text);
        for (LockScan.Found clause : clauses) {
            for (int i = clause.start() - start; i < clause.end() - start; i++) {
                without.setCharAt(i, ' ');
            }
        }
        return without.toString();
    }

    private static List<Locked> locks(List<LockScan.Found> clauses) {
        return clauses.stream()
                .map(found -> new Locked(LockClause.of(found), found.tables(), found.inside()))
                .toList();
    }

    /** Only a part in parentheses begins so; the parser may not understand the rest of such a text. */
    private static boolean writesInside(List<SqlToken> tokens) {
        for (int i = 1; i < tokens.size(); i++) {
            SqlToken token = tokens.get(i);
            boolean write = token.is("insert") || token.is("update") || token.is("delete") || token.is("merge");
            if (write && token.kind() == SqlToken.Kind.WORD && tokens.get(i - 1).is('(')) {
                return true;
            }
        }
        return false;
    }

    private static int depth(List<SqlToken> tokens) {
        int depth = 0;
        int deepest = 0;
        for (SqlToken token : tokens) {
            depth += token.is('(') ? 1 : token.is(')') ? -1 : 0;
            deepest = Math.max(deepest, depth);
        }
        return deepest;
    }

    private static Verb verb(List<SqlToken> tokens) {
        SqlToken first = firstWord(tokens, 0);
        boolean hasTo = tokens.stream().anyMatch(token -> token.is("to") || token.is("prepared"));
        return switch (first.kind() == SqlToken.Kind.WORD ? first.text() : "") {
            case "select", "table", "values" -> Verb.SELECT;
            case "insert" -> Verb.INSERT;
            case "update" -> Verb.UPDATE;
            case "delete" -> Verb.DELETE;
            case "merge" -> Verb.MERGE;
            case "with" -> main(tokens);
            case "begin" -> Verb.BEGIN;
            case "start" -> hasWord(tokens, "transaction") ? Verb.BEGIN : Verb.OTHER;
            case "commit", "end" -> hasTo ? Verb.OTHER : Verb.COMMIT;
            case "rollback", "abort" -> hasTo ? Verb.OTHER : Verb.ROLLBACK;
            default -> Verb.OTHER;
        };
    }

    /** A query may begin with parentheses. */
    private static SqlToken firstWord(List<SqlToken> tokens, int from) {
        int i = from;
        while (i < tokens.size() - 1 && tokens.get(i).is('(')) {
            i++;
        }
        return tokens.get(i);
    }

    private static boolean hasWord(List<SqlToken> tokens, String word) {
        return tokens.stream().anyMatch(token -> token.is(word));
    }

    /** What stands behind the common table expressions. */
    private static Verb main(List<SqlToken> tokens) {
        int depth = 0;
        for (SqlToken token : tokens) {
            depth += token.is('(') ? 1 : token.is(')') ? -1 : 0;
            if (depth == 0 && token.kind() == SqlToken.Kind.WORD) {
                switch (token.text()) {
                    case "select", "insert", "update", "delete", "merge" -> {
                        return Verb.valueOf(token.text().toUpperCase(Locale.ROOT));
                    }
                    default -> {}
                }
            }
        }
        return Verb.SELECT;
    }

    private static Optional<String> target(List<SqlToken> tokens, Verb verb) {
        int depth = 0;
        for (int i = 0; i < tokens.size(); i++) {
            SqlToken token = tokens.get(i);
            depth += token.is('(') ? 1 : token.is(')') ? -1 : 0;
            boolean before = switch (verb) {
                case UPDATE -> token.is("update");
                case INSERT, MERGE -> token.is("into");
                case DELETE -> token.is("from");
                default -> false;
            };
            if (depth == 0 && before) {
                return name(tokens, i + 1);
            }
        }
        return Optional.empty();
    }

    private static Optional<String> name(List<SqlToken> tokens, int start) {
        int i = start < tokens.size() && tokens.get(start).is("only") ? start + 1 : start;
        if (i >= tokens.size() || !tokens.get(i).isName()) {
            return Optional.empty();
        }
        String name = tokens.get(i).text();
        if (i + 2 < tokens.size() && tokens.get(i + 1).is('.')) {
            name += "." + tokens.get(i + 2).text();
        }
        return Optional.of(LockScan.withoutPublic(name));
    }

    private static String form(List<SqlToken> tokens) {
        StringBuilder form = new StringBuilder();
        for (SqlToken token : tokens) {
            boolean constant = switch (token.kind()) {
                case TEXT, NUMBER, PARAMETER -> true;
                default -> false;
            };
            String text = token.kind() == SqlToken.Kind.QUOTED_NAME ? '"' + token.text() + '"' : token.text();
            form.append(constant ? "?" : text).append(' ');
        }
        // However many values a list has, it is the same statement.
        return form.toString().strip().replaceAll("\\?(?: , \\?)+", "?, …");
    }
}
