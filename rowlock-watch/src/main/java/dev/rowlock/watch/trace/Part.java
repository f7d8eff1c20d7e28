package dev.rowlock.watch.trace;

import dev.rowlock.watch.internal.SqlToken;
import dev.rowlock.watch.internal.SqlTokens;
import dev.rowlock.watch.trace.SqlShape.Operand;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One statement of what was sent.
 *
 * @param shape what its text tells
 * @param values of all parameters of the text, as they are written in SQL; where the trace hides values, a mark that is the same for
 *     the same value
 * @param hidden whether the trace hides values
 */
public record Part(SqlShape shape, List<String> values, boolean hidden) {
    public Part {
        values = List.copyOf(values);
    }

    /** The statement with the values in the places of its question marks, or as it was sent if they are hidden. */
    public String text() {
        if (hidden || values.isEmpty()) {
            return shape.sql();
        }
        StringBuilder text = new StringBuilder();
        int at = 0;
        int number = 0;
        for (SqlToken token : SqlTokens.of(shape.sql())) {
            if (token.kind() == SqlToken.Kind.PARAMETER && number < values.size()) {
                text.append(shape.sql(), at, token.start()).append(values.get(number));
                number++;
                at = token.end();
            }
        }
        return text.append(shape.sql(), at, shape.sql().length()).toString();
    }

    /**
     * Which rows of the table the condition names: for each column the values that it may have. Empty if it names none, or if it is not
     * known which table the columns belong to.
     */
    public Map<String, Set<String>> keys(String table) {
        Map<String, Set<String>> keys = new LinkedHashMap<>();
        for (SqlShape.Equals part : shape.where().keys()) {
            Optional<Set<String>> found = part.table().equals(Optional.of(table)) ? values(part) : Optional.empty();
            found.ifPresent(names -> keys.put(part.column(), names));
        }
        return keys;
    }

    private Optional<Set<String>> values(SqlShape.Equals part) {
        Set<String> found = new LinkedHashSet<>();
        for (Operand operand : part.values()) {
            if (operand.parameter() > values.size()) {
                return Optional.empty();
            }
            String value = operand.parameter() == 0 ? operand.constant() : plain(values.get(operand.parameter() - 1));
            List<String> elements = operand.array() ? elements(value) : List.of(value);
            if (elements.isEmpty()) {
                return Optional.empty();
            }
            found.addAll(elements);
        }
        return Optional.of(found);
    }

    private static String plain(String value) {
        return value.length() > 1 && value.startsWith("'")
                ? value.substring(1, value.length() - 1).replace("''", "'")
                : value;
    }

    /** Of an array as PostgreSQL writes it; nothing if it is written otherwise, or hidden. */
    private static List<String> elements(String array) {
        if (!array.startsWith("{") || !array.endsWith("}")) {
            return List.of();
        }
        List<String> elements = new ArrayList<>();
        for (String element : array.substring(1, array.length() - 1).split(",", -1)) {
            elements.add(element.replace("\"", ""));
        }
        return elements;
    }
}
