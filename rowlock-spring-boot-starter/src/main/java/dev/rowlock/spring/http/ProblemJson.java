package dev.rowlock.spring.http;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes a problem as JSON. By hand, because Spring Boot 3 and 4 come with two Jacksons that share no type. */
final class ProblemJson {
    private ProblemJson() {}

    static byte[] of(Problem problem, String instance, @Nullable String incident) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("type", problem.kind().uri().toString());
        members.put("title", problem.kind().title());
        members.put("status", problem.kind().status());
        members.put("detail", problem.detail());
        members.put("instance", instance);
        members.putAll(new TreeMap<>(problem.members()));
        if (incident != null) {
            members.put("incident", incident);
        }
        return members.entrySet().stream()
                .map(member -> text(member.getKey()) + ":" + value(member.getValue()))
                .collect(Collectors.joining(",", "{", "}"))
                .getBytes(StandardCharsets.UTF_8);
    }

    private static String value(Object value) {
        return value instanceof Number ? value.toString() : text(value.toString());
    }

    private static String text(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ') {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }
}
