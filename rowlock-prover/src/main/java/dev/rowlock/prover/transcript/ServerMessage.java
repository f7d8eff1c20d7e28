package dev.rowlock.prover.transcript;

import java.util.HashMap;
import java.util.Map;

/** An error or a notice of the server, and how libpq words it. */
final class ServerMessage {
    private static final char SEVERITY = 'S';
    private static final char PRIMARY = 'M';
    private static final char DETAIL = 'D';
    private static final char HINT = 'H';
    private static final char POSITION = 'P';
    private static final char INTERNAL_POSITION = 'p';
    private static final char INTERNAL_QUERY = 'q';
    private static final char CONTEXT = 'W';

    private final Map<Character, String> fields = new HashMap<>();

    ServerMessage(Message message) {
        char field = message.byteAsChar();
        while (field != 0) {
            fields.put(field, message.string());
            field = message.byteAsChar();
        }
    }

    /** Severity and first line, as steps show an error. Details may hold numbers that differ from run to run. */
    String brief() {
        return fields.getOrDefault(SEVERITY, "") + ":  " + fields.getOrDefault(PRIMARY, "");
    }

    /** All of it as whole lines. Where it came from is told of errors only. */
    String full(String query, boolean error) {
        StringBuilder text = new StringBuilder(brief());
        String place = place(query);
        text.append(place.isEmpty() || place.endsWith("\n") ? "\n" + place : place + "\n");
        line(text, "DETAIL", DETAIL);
        line(text, "HINT", HINT);
        line(text, "QUERY", INTERNAL_QUERY);
        if (error) {
            line(text, "CONTEXT", CONTEXT);
        }
        return text.toString();
    }

    private String place(String query) {
        String at = fields.get(POSITION);
        if (at != null) {
            return QueryPlace.show(query, Integer.parseInt(at));
        }
        String inner = fields.get(INTERNAL_POSITION);
        if (inner == null) {
            return "";
        }
        String innerQuery = fields.get(INTERNAL_QUERY);
        return innerQuery == null ? " at character " + inner : QueryPlace.show(innerQuery, Integer.parseInt(inner));
    }

    private void line(StringBuilder text, String title, char field) {
        String value = fields.get(field);
        if (value != null) {
            text.append(title).append(":  ").append(value).append('\n');
        }
    }
}
