package dev.rowlock.once;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Headers as they are kept: one a line, as in HTTP, so that a person can read the column. */
final class Headers {
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final String SEPARATOR = ": ";

    private Headers() {}

    static void check(String name, String value) {
        if (!TOKEN.matcher(name).matches()) {
            throw new IllegalArgumentException("header name \"" + name + "\" is not an HTTP token");
        }
        if (value.chars().anyMatch(c -> c < ' ' || c > '~')) {
            throw new IllegalArgumentException("the value of header " + name + " is not printable ASCII");
        }
    }

    static String write(Map<String, String> headers) {
        StringBuilder text = new StringBuilder();
        headers.forEach((name, value) ->
                text.append(name).append(SEPARATOR).append(value).append('\n'));
        return text.toString();
    }

    static Map<String, String> read(String text) {
        Map<String, String> headers = new LinkedHashMap<>();
        text.lines().forEach(line -> {
            int end = line.indexOf(SEPARATOR);
            headers.put(line.substring(0, end), line.substring(end + SEPARATOR.length()));
        });
        return headers;
    }
}
