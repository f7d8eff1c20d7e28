package dev.rowlock.watch.internal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds lock clauses in SQL that no parser need understand. */
public final class LockScan {
    /** Whose arguments may have a FOR of their own, with a column called "share" behind it. */
    private static final Set<String> WITH_FOR = Set.of("substring", "overlay");

    private static final Set<String> ENDS_OF_FROM = Set.of(
            "where",
            "group",
            "having",
            "window",
            "order",
            "limit",
            "offset",
            "fetch",
            "union",
            "intersect",
            "except",
            "for",
            "select",
            "returning",
            "set",
            "values");

    /** What stands behind a table where it has no other name. */
    private static final Set<String> NO_ALIASES = Set.of(
            "where",
            "group",
            "having",
            "window",
            "order",
            "limit",
            "offset",
            "fetch",
            "union",
            "intersect",
            "except",
            "for",
            "returning",
            "set",
            "on",
            "using",
            "join",
            "inner",
            "left",
            "right",
            "full",
            "cross",
            "natural",
            "tablesample",
            "values",
            "select");

    private final List<SqlToken> tokens;
    private final List<Found> found = new ArrayList<>();
    private final Set<String> all = new LinkedHashSet<>();
    private final Deque<Level> levels = new ArrayDeque<>();

    /**
     * A clause.
     *
     * @param strength such as {@code NO KEY UPDATE}, in capitals
     * @param of the names behind OF, empty without
     * @param whenTaken {@code NOWAIT}, {@code SKIP LOCKED} or empty
     * @param start where its FOR begins in the text
     * @param end the place behind it
     * @param tables whose rows it locks, by their own names
     * @param inside whether it belongs to a query within the statement
     */
    public record Found(
            String strength,
            List<String> of,
            String whenTaken,
            int start,
            int end,
            List<String> tables,
            boolean inside) {}

    /** Between two parentheses, or outside of all. */
    private static final class Level {
        private final boolean ofFunction;
        /** Names that tables have here, and their own. */
        private final Map<String, String> tables = new LinkedHashMap<>();

        private boolean query;
        private boolean empty = true;
        private boolean from;

        Level(boolean ofFunction) {
            this.ofFunction = ofFunction;
        }

        List<String> locked(List<String> of) {
            return (of.isEmpty() ? tables.keySet() : of)
                    .stream()
                            .map(name -> tables.getOrDefault(name, withoutPublic(name)))
                            .flatMap(names -> Arrays.stream(names.split(",", -1)))
                            .filter(name -> !name.isEmpty())
                            .distinct()
                            .toList();
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

    /** All tables that queries in it read, as far as that can be told from words alone. */
    public static List<String> tablesRead(List<SqlToken> tokens) {
        LockScan scan = new LockScan(tokens);
        scan.run();
        return List.copyOf(scan.all);
    }

    private void run() {
        levels.push(new Level(false));
        int i = 0;
        while (i < tokens.size()) {
            SqlToken token = tokens.get(i);
            Level level = levels.element();
            if (token.is('(')) {
                levels.push(
                        new Level(i > 0 && WITH_FOR.contains(tokens.get(i - 1).text())));
            } else if (token.is(')') && levels.size() > 1) {
                levels.pop();
                Level outer = levels.element();
                // A query in parentheses may be locked from outside.
                boolean alone = outer.empty && !outer.ofFunction && level.query;
                if (alone || (level.query && outer.from)) {
                    outer.tables.put(aliasBehind(i + 1), String.join(",", level.tables.values()));
                }
                outer.query |= alone;
                outer.empty = false;
            } else if (token.is(';')) {
                levels.clear();
                levels.push(new Level(false));
            } else {
                int behind = token.is("for") && level.query && isKeyword(i) ? clause(i, level) : i;
                level.query |= (token.is("select") && isKeyword(i)) || (token.is("table") && level.empty);
                from(i, level);
                level.empty = false;
                if (behind > i) {
                    i = behind;
                    continue;
                }
            }
            i++;
        }
    }

    private void from(int i, Level level) {
        SqlToken token = tokens.get(i);
        if (!level.query) {
            return;
        }
        boolean begins = token.is("from") && !(i > 0 && tokens.get(i - 1).is("distinct"));
        if (ENDS_OF_FROM.contains(token.text()) && token.kind() == SqlToken.Kind.WORD) {
            level.from = false;
        } else if (begins || (level.empty && token.is("table"))) {
            level.from = true;
        }
        if (level.from && (begins || token.is("join") || token.is(',') || token.is("table"))) {
            table(i + 1, level);
        }
    }

    private void table(int start, Level level) {
        int i = start;
        while (words(i, "only") || words(i, "lateral")) {
            i++;
        }
        StringBuilder name = new StringBuilder();
        while (i < tokens.size() && tokens.get(i).isName()) {
            name.append(tokens.get(i).text());
            i++;
            if (i >= tokens.size() || !tokens.get(i).is('.')) {
                break;
            }
            name.append('.');
            i++;
        }
        boolean isFunction = i < tokens.size() && tokens.get(i).is('(');
        if (name.length() > 0 && !isFunction) {
            String table = withoutPublic(name.toString());
            String alias = aliasBehind(i);
            level.tables.put(alias.isEmpty() ? table.substring(table.lastIndexOf('.') + 1) : alias, table);
            all.add(table);
        }
    }

    private String aliasBehind(int start) {
        int i = words(start, "as") ? start + 1 : start;
        boolean named = i < tokens.size()
                && tokens.get(i).isName()
                && (i > start || !NO_ALIASES.contains(tokens.get(i).text()));
        return named ? tokens.get(i).text() : "";
    }

    /** The name of a table as it is told everywhere: in the schema "public" alone, in any other with it. */
    public static String withoutPublic(String table) {
        return table.startsWith("public.") ? table.substring("public.".length()) : table;
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
    private int clause(int start, Level level) {
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
                level.locked(of),
                levels.size() > 1));
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
