package dev.rowlock.spring.http;

import java.net.URI;
import java.util.Locale;

/** The kinds of error answers. The URI is the constant's name, and stable: clients decide by it, never by the texts. */
public enum ProblemKind {
    /** Something in the request is wrong. */
    INVALID_REQUEST(400, "The request is not valid"),
    /** The operation is done once for each key, so it needs one. */
    IDEMPOTENCY_KEY_REQUIRED(400, "The request needs an Idempotency-Key"),
    /** The row is not there. */
    NOT_FOUND(404, "There is nothing here"),
    /** The first request with this Idempotency-Key is not answered yet. */
    REQUEST_IN_FLIGHT(409, "The same request is being worked on"),
    /** Somebody changed it since the client read it. */
    STALE(409, "It was changed meanwhile"),
    /** The state of the row does not allow the change. */
    REFUSED(409, "The current state does not allow this"),
    /** Somebody else holds the row and the request does not wait. */
    ROW_HELD(409, "Somebody else is changing it"),
    /** Somebody changed it since the client read it, told by If-Match. */
    PRECONDITION_FAILED(412, "It was changed meanwhile"),
    /** The body is longer than allowed. */
    CONTENT_TOO_LARGE(413, "The body is too large"),
    /** The Idempotency-Key came with another request before. */
    IDEMPOTENCY_KEY_REUSED(422, "The Idempotency-Key belongs to another request"),
    /** The change needs an If-Match with the ETag that was read. */
    PRECONDITION_REQUIRED(428, "The change needs the version that was read"),
    /** Somebody else held the row for longer than the limit. */
    LOCK_TIMEOUT(503, "Somebody else is changing it"),
    /** Every attempt collided with others. */
    TOO_MANY_CONFLICTS(503, "Too many are changing it at once"),
    /** The database took longer than the limit. */
    STATEMENT_TIMEOUT(503, "The database took too long"),
    /** No connection to the database could be had, or it broke. */
    DATABASE_UNAVAILABLE(503, "The database cannot be reached"),
    /** The work was given up before it was done. */
    INTERRUPTED(503, "The work was interrupted"),
    /** The connection broke during the commit: the change was made or not. */
    OUTCOME_UNKNOWN(500, "It is not known whether the change was made"),
    /** Something failed inside. */
    INTERNAL_ERROR(500, "Something failed inside");

    private final int status;
    private final String title;

    ProblemKind(int status, String title) {
        this.status = status;
        this.title = title;
    }

    /** The status that goes with it. */
    public int status() {
        return status;
    }

    /** A short text, the same for every occurrence. */
    public String title() {
        return title;
    }

    /** The stable name: {@code urn:rowlock:problem:too-many-conflicts}. */
    public URI uri() {
        return URI.create(
                "urn:rowlock:problem:" + name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }
}
