package dev.rowlock.prover.engine;

import dev.rowlock.prover.engine.PlanReader.Access;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds out whether a plan's node can only meet one row: all columns of a unique index are compared with constants. */
final class Points {
    private static final Pattern EQUALS_CONSTANT =
            Pattern.compile("\\(*(?:([a-z_][a-z0-9_]*)\\.)?([a-z_][a-z0-9_]*)\\)?(?:::(?:text|character varying))?"
                    + " = '?((?:[^'\\\\]|'')*?)'?(?:::(?:smallint|integer|bigint|uuid|text|character varying))?\\)*");
    private static final String AND = " AND ";
    private static final Pattern INTEGER = Pattern.compile("-?[0-9]+");

    private Points() {}

    /** The row in words, such as {@code id=1}. */
    static Optional<String> row(Access access, Catalog catalog) {
        Map<String, String> constants = new HashMap<>();
        for (String condition : access.conditions()) {
            for (String part : conjuncts(condition)) {
                constant(part, access.alias()).ifPresent(found -> constants.put(found.getKey(), found.getValue()));
            }
        }
        return catalog.points().getOrDefault(access.table(), Set.of()).stream()
                .filter(constants.keySet()::containsAll)
                .sorted((one, other) -> one.toString().compareTo(other.toString()))
                .findFirst()
                .map(columns -> words(columns, constants));
    }

    private static String words(List<String> columns, Map<String, String> constants) {
        List<String> words = new ArrayList<>();
        columns.forEach(column -> words.add(column + "=" + constants.get(column)));
        return String.join(", ", words);
    }

    private static Optional<Map.Entry<String, String>> constant(String part, String alias) {
        Matcher matcher = EQUALS_CONSTANT.matcher(part);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        boolean quoted = part.indexOf('\'') >= 0;
        String value = matcher.group(3);
        boolean isInteger = INTEGER.matcher(value).matches();
        if ((matcher.group(1) != null && !matcher.group(1).equals(alias)) || (!quoted && !isInteger)) {
            return Optional.empty();
        }
        return Optional.of(
                Map.entry(matcher.group(2), isInteger ? new BigInteger(value).toString() : "'" + value + "'"));
    }

    /** Splits {@code ((a) AND (b))} at its own level; text within quotes is left alone. */
    static List<String> conjuncts(String condition) {
        String whole = condition.strip();
        List<String> parts = splitAtAnd(isWrapped(whole) ? whole.substring(1, whole.length() - 1) : whole);
        return parts.size() == 1 ? List.of(whole) : parts;
    }

    private static boolean isWrapped(String text) {
        return text.startsWith("(")
                && text.endsWith(")")
                && Nesting.ownLevel(text).findAny().isEmpty();
    }

    private static List<String> splitAtAnd(String text) {
        List<String> parts = new ArrayList<>();
        int begin = 0;
        for (int i : Nesting.ownLevel(text).toArray()) {
            if (text.startsWith(AND, i)) {
                parts.add(text.substring(begin, i));
                begin = i + AND.length();
            }
        }
        parts.add(text.substring(begin));
        return parts;
    }
}
