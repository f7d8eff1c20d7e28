package dev.rowlock.service.request;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.regex.Pattern;

/**
 * The id in a path: decimal digits only, from 1 to 2^63-1. Stricter than Spring's own conversion to {@code long}, which also
 * takes hexadecimal numbers, signs and blanks, so that one row would have many names.
 *
 * @param value the id
 */
@Schema(type = "integer", format = "int64", minimum = "1")
public record Id(long value) {
    private static final Pattern FORM = Pattern.compile("[1-9][0-9]{0,18}");

    /**
     * Reads the text; Spring finds this method by its name.
     *
     * @throws IllegalArgumentException if it is no id
     */
    public static Id valueOf(String text) {
        if (!FORM.matcher(text).matches()) {
            throw new IllegalArgumentException("not an id");
        }
        return new Id(Long.parseLong(text));
    }
}
