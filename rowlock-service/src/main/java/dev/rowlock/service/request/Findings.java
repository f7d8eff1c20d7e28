package dev.rowlock.service.request;

import dev.rowlock.service.problem.FieldError;
import dev.rowlock.service.problem.ProblemException;
import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with a request. Bounded: a body full of unknown members must not make a larger answer. */
final class Findings {
    private static final int MAX_ERRORS = 20;
    private static final int MAX_FIELD_LENGTH = 80;

    private final List<FieldError> errors = new ArrayList<>();
    private int count;

    void add(String field, String message) {
        count++;
        if (errors.size() < MAX_ERRORS) {
            errors.add(new FieldError(shorten(field), message));
        }
    }

    /** How many there were, those that are not kept included. */
    int count() {
        return count;
    }

    void throwIfAny() {
        if (!errors.isEmpty()) {
            throw ProblemException.invalid(errors);
        }
    }

    private static String shorten(String field) {
        return field.codePointCount(0, field.length()) <= MAX_FIELD_LENGTH
                ? field
                : field.substring(0, field.offsetByCodePoints(0, MAX_FIELD_LENGTH)) + "…";
    }
}
