package dev.rowlock.service.problem;

/**
 * One thing that is wrong with a request.
 *
 * @param field the member of the body, the part of the path or the header; {@code body} for the body as a whole
 * @param message what is wrong with it, to be read behind the field's name
 */
public record FieldError(String field, String message) {}
