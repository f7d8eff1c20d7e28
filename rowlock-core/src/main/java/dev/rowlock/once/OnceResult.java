package dev.rowlock.once;

/**
 * What a request is answered.
 *
 * @param answer the answer, the same for every repeat
 * @param replayed whether an earlier request made it and nothing was done now. HTTP: {@code Idempotent-Replayed: true}
 */
public record OnceResult(Answer answer, boolean replayed) {}
