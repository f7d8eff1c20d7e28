package dev.rowlock.service.problem;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * An answer other than success, on its way out. It is an expected outcome, not a failure of the program: so it carries no stack
 * trace and is not logged.
 */
public final class ProblemException extends RuntimeException {
    private final transient ProblemType type;
    private final String detail;
    private final transient Map<String, Object> members = new LinkedHashMap<>();

    /**
     * An answer of this type.
     *
     * @param detail what happened this time, for people; goes out as it is
     */
    public ProblemException(ProblemType type, String detail) {
        super(detail, null, false, false);
        this.type = type;
        this.detail = detail;
    }

    /** A 400 that names everything that is wrong with the request. */
    public static ProblemException invalid(List<FieldError> errors) {
        String detail = errors.stream()
                .map(error -> error.field() + " " + error.message())
                .collect(Collectors.joining("; "));
        return new ProblemException(ProblemType.INVALID_REQUEST, detail).with("errors", List.copyOf(errors));
    }

    /** A 400 that names the one thing that is wrong with the request. */
    public static ProblemException invalid(String field, String message) {
        return invalid(List.of(new FieldError(field, message)));
    }

    /** Adds an extension member: an id, or the current state. */
    public ProblemException with(String member, Object value) {
        members.put(member, value);
        return this;
    }

    ProblemType type() {
        return type;
    }

    String detail() {
        return detail;
    }

    Map<String, Object> members() {
        return members;
    }
}
