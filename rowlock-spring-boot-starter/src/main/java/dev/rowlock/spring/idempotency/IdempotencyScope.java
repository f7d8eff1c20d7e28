package dev.rowlock.spring.idempotency;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Whose an {@code Idempotency-Key} is: the same key in two scopes is two keys. Without a bean of this type it is the method and the
 * path of the request, which is right only where all clients may see each other's answers. Add who asks:
 *
 * <pre>{@code
 * @Bean
 * IdempotencyScope idempotencyScope() {
 *     return request -> request.getUserPrincipal().getName() + " " + request.getRequestURI();
 * }
 * }</pre>
 */
@FunctionalInterface
public interface IdempotencyScope {
    /** The scope of the request: any text that is not empty, chosen by the program and never by the client alone. */
    String of(HttpServletRequest request);
}
