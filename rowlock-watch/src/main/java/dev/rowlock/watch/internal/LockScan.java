package dev.rowlock.watch.internal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;

/** Finds lock clauses in SQL that no parser need understand. */
public final class LockScan {
    /** Whose arguments may have a FOR of their own, with a column called "share" behind it. */
    private static final Set<String> WITH_FOR = Set.of("substring", "overlay");

    private final List<SqlToken> tokens;
    private final List<Found> found = new ArrayList<>();
    private final Deque<Level> levels = new ArrayDeque<>();

    /**
     * A clause.
     *
     * @param strength such as {@code NO KEY UPDATE}, in capitals
     * @param of the names behind OF, empty without
     * @param whenTaken {@code NOWAIT}, {@code SKIP LOCKED} or empty
     * @param start where its FOR begins in the text
     * @param end the place behind it
     * @param select number of the query that it belongs to: clauses of one query have the same
     */
    public record Found(String strength, List<String> of, String whenTaken, int start, int end, int select) {}

    /** Between two parentheses, or outside of all. */
    private static final class Level {
        private final int number;
        private final boolean ofFunction;
        private boolean query;
        private boolean empty = true;

        Level(int number, boolean ofFunction) {
            this.number = number;
            this.ofFunction = ofFunction;
        }
    }

    private LockScan(List<SqlToken> tokens) {
        this.tokens = tokens;
    }

    /** All clauses in the order of the text. */
    public static List<Found> of(List<SqlToken> tokens) {
        LockScan scan = new LockScan(tokens);
        scan.run();
        return List.copyOf(scan.found);
    }

    private void run() {
        levels.push(new Level(0, false));
        int i = 0;
        while (i < tokens.size()) {
            SqlToken token = tokens.get(i);
            Level level = levels.element();
            if (token.is('(')) {
                levels.push(new Level(
                        i + 1, i > 0 && WITH_FOR.contains(tokens.get(i - 1).text())));
            } else if (token.is(')') && levels.size() > 1) {
                levels.pop();
                // A query in parentheses may be locked from outside.
                levels.element().query |= levels.element().empty && !levels.element().ofFunction && level.query;
                levels.element().empty = false;
            } else if (token.is(';')) {
                levels.clear();
                levels.push(new Level(i + 1, false));
            } else {
                int behind = token.is("for") && level.query && isKeyword(i) ? clause(i, level.number) : i;
                level.query |= (token.is("select") && isKeyword(i)) || (token.is("table") && level.empty);
                level.empty = false;
                if (behind > i) {
                    i = behind;
                    continue;
                }
            }
            i++;
        }
    }

    /** Behind AS, and behind a dot, any word is a name. */
    private boolean isKeyword(int i) {
        if (i == 0) {
            return true;
        }
        SqlToken before = tokens.get(i - 1);
        return !before.is('.') && (!before.is("as") || isQuery(i));
    }

    /** {@code CREATE VIEW v AS SELECT …}, {@code PREPARE p AS SELECT …}. */
    private boolean isQuery(int i) {
        return tokens.get(i).is("select");
    }

    /** The place behind the clause, or the same place if there is none. */
    private int clause(int start, int select) {
        int i = start + 1;
        String strength;
        if (words(i, "update")) {
            strength = "UPDATE";
            i += 1;
        } else if (words(i, "no", "key", "update")) {
            strength = "NO KEY UPDATE";
            i += 3;
        } else if (words(i, "share")) {
            strength = "SHARE";
            i += 1;
        } else if (words(i, "key", "share")) {
            strength = "KEY SHARE";
            i += 2;
        } else {
            return start;
        }
        List<String> of = new ArrayList<>();
        if (words(i, "of")) {
            i = names(i + 1, of);
        }
        String whenTaken = "";
        if (words(i, "nowait")) {
            whenTaken = "NOWAIT";
            i += 1;
        } else if (words(i, "skip", "locked")) {
            whenTaken = "SKIP LOCKED";
            i += 2;
        }
        found.add(new Found(
                strength,
                List.copyOf(of),
                whenTaken,
                tokens.get(start).start(),
                tokens.get(i - 1).end(),
                select));
        return i;
    }

    private int names(int start, List<String> names) {
        int i = start;
        StringBuilder name = new StringBuilder();
        while (i < tokens.size() && tokens.get(i).isName()) {
            name.append(tokens.get(i).text());
            boolean dot = i + 1 < tokens.size() && tokens.get(i + 1).is('.');
            boolean comma = i + 1 < tokens.size() && tokens.get(i + 1).is(',');
            i += 1;
            if (dot) {
                name.append('.');
                i += 1;
                continue;
            }
            names.add(name.toString());
            name.setLength(0);
            if (!comma) {
                break;
            }
            i += 1;
        }
        return i;
    }

    private boolean words(int start, String... words) {
        for (int i = 0; i < words.length; i++) {
            if (start + i >= tokens.size() || !tokens.get(start + i).is(words[i])) {
                return false;
            }
        }
        return true;
    }
}
