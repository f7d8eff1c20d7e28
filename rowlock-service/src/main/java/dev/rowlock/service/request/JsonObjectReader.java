package dev.rowlock.service.request;

import dev.rowlock.service.problem.ProblemException;
import dev.rowlock.service.request.JsonValue.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads one JSON object. Nothing is guessed: a member given twice, or anything behind the object, is an error. Members of what is
 * inside are named by their path, as {@code lines[0].quantity}.
 */
final class JsonObjectReader {
    private static final JsonFactory JSON = new JsonFactory();

    private final JsonParser parser;
    private final Findings findings;
    private final Map<String, JsonValue> members = new LinkedHashMap<>();
    private @Nullable String member;

    private JsonObjectReader(JsonParser parser, Findings findings) {
        this.parser = parser;
        this.findings = findings;
    }

    /**
     * The members by name. What is wrong with single ones goes to the findings.
     *
     * @throws ProblemException if it is no JSON object
     */
    static Map<String, JsonValue> read(byte[] body, Findings findings) {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), body)) {
            return new JsonObjectReader(parser, findings).read();
        }
    }

    private Map<String, JsonValue> read() {
        try {
            JsonToken first = parser.nextToken();
            if (first == null) {
                throw ProblemException.invalid("body", "is empty; it must be a JSON object");
            }
            if (first != JsonToken.START_OBJECT) {
                throw ProblemException.invalid(
                        "body",
                        "must be a JSON object, not "
                                + value("body", first).kind().words());
            }
            readMembers("", members);
            if (parser.nextToken() != null) {
                throw malformed("body", parser.currentTokenLocation(), "goes on behind its end");
            }
            return members;
        } catch (StreamConstraintsException e) {
            throw malformed(openMember(), e.getLocation(), "is too long or nests too deep");
        } catch (JacksonException e) {
            // Its message names classes and buffers of the parser; the place is what the client needs.
            throw malformed(openMember(), e.getLocation(), "is not valid JSON");
        }
    }

    /**
     * The member whose value was being read. The parser looks ahead: it reads the first token of the value together with the
     * name, so an error there comes before the name was handed out.
     */
    private String openMember() {
        String name = member == null ? parser.currentName() : member;
        return name == null || members.containsKey(name) ? "body" : name;
    }

    private void readMembers(String path, Map<String, JsonValue> into) {
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            boolean outermost = path.isEmpty();
            member = outermost ? name : member;
            JsonValue value = value(path + name, parser.nextToken());
            member = outermost ? null : member;
            if (into.put(name, value) != null) {
                findings.add(path + name, "is given more than once");
            }
        }
    }

    private Map<String, JsonValue> object(String path) {
        Map<String, JsonValue> inside = new LinkedHashMap<>();
        readMembers(path + ".", inside);
        return inside;
    }

    private List<JsonValue> list(String path) {
        List<JsonValue> inside = new ArrayList<>();
        for (JsonToken next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
            inside.add(value(path + "[" + inside.size() + "]", next));
        }
        return inside;
    }

    private JsonValue value(String path, JsonToken token) {
        return switch (token) {
            case VALUE_STRING -> new JsonValue(Kind.TEXT, parser.getString());
            case VALUE_NUMBER_INT ->
                parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                        ? JsonValue.of(Kind.TOO_LARGE)
                        : new JsonValue(Kind.WHOLE_NUMBER, parser.getLongValue());
            case VALUE_NUMBER_FLOAT -> JsonValue.of(Kind.FRACTION);
            case VALUE_TRUE, VALUE_FALSE -> JsonValue.of(Kind.TRUTH);
            case VALUE_NULL -> JsonValue.of(Kind.NULL);
            case START_ARRAY -> new JsonValue(Kind.LIST, list(path));
            default -> new JsonValue(Kind.OBJECT, object(path));
        };
    }

    private static ProblemException malformed(String field, @Nullable TokenStreamLocation place, String message) {
        if (place == null) {
            return ProblemException.invalid(field, message);
        }
        int line = place.getLineNr();
        int column = place.getColumnNr();
        return ProblemException.invalid(field, message + " at line " + line + ", column " + column)
                .with("line", line)
                .with("column", column);
    }
}
