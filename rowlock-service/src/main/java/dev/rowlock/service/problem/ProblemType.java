package dev.rowlock.service.problem;

import dev.rowlock.spring.http.ProblemKind;
import java.net.URI;
import java.util.Arrays;
import java.util.Locale;
import org.springframework.http.HttpStatus;

/** Every kind of error answer. Its URI is the constant's name, and stable: clients decide by it, never by the texts. */
public enum ProblemType {
    /** Something in the request is wrong; {@code errors} names each thing. */
    INVALID_REQUEST(ProblemKind.INVALID_REQUEST),
    /** The operation is done once for each key, so it needs one. */
    IDEMPOTENCY_KEY_REQUIRED(ProblemKind.IDEMPOTENCY_KEY_REQUIRED),
    /** There is nothing at this path. */
    NOT_FOUND(ProblemKind.NOT_FOUND),
    /** There is no such wallet; {@code wallet} names it. */
    WALLET_NOT_FOUND(HttpStatus.NOT_FOUND, "There is no such wallet"),
    /** There is no such product; {@code product} names it. */
    PRODUCT_NOT_FOUND(HttpStatus.NOT_FOUND, "There is no such product"),
    /** There is no such order; {@code order} names it. */
    ORDER_NOT_FOUND(HttpStatus.NOT_FOUND, "There is no such order"),
    /** There is no such tenant; {@code tenant} names it. */
    TENANT_NOT_FOUND(HttpStatus.NOT_FOUND, "There is no such tenant"),
    /** There is no tenant to stand under; {@code parent} names it. */
    PARENT_NOT_FOUND(HttpStatus.NOT_FOUND, "There is no such tenant to stand under"),
    /** There is no such job, or it is done; {@code job} names it. */
    JOB_NOT_FOUND(HttpStatus.NOT_FOUND, "There is no such job"),
    /** The path does not know the method; {@code Allow} lists those that it does. */
    METHOD_NOT_ALLOWED(HttpStatus.METHOD_NOT_ALLOWED, "The method is not allowed here"),
    /** The client accepts no form in which there is an answer. */
    NOT_ACCEPTABLE(HttpStatus.NOT_ACCEPTABLE, "There is no answer in an acceptable form"),
    /** The wallet holds less than the amount. */
    INSUFFICIENT_FUNDS(HttpStatus.CONFLICT, "The wallet holds too little"),
    /** The receiving wallet would hold more than a wallet can. */
    BALANCE_LIMIT(HttpStatus.CONFLICT, "The wallet would hold too much"),
    /** There is less in stock than the quantity. */
    OUT_OF_STOCK(HttpStatus.CONFLICT, "There is too little in stock"),
    /** The tree of tenants would break {@code rule}: it allows {@code limit}, and {@code actual} was asked for. */
    TENANT_RULE(HttpStatus.CONFLICT, "The tree of tenants does not allow this"),
    /** The job waits or runs, so it cannot be requeued; {@code state} says which. */
    JOB_NOT_DEAD(HttpStatus.CONFLICT, "The job has not failed for good"),
    /** Another job does the same work already. */
    JOB_REPLACED(HttpStatus.CONFLICT, "Another job does this already"),
    /** The first request with this Idempotency-Key is not answered yet. */
    REQUEST_IN_FLIGHT(ProblemKind.REQUEST_IN_FLIGHT),
    /** Somebody changed it since the client read it; {@code current} is how it is now. */
    STALE(ProblemKind.STALE),
    /** The state of the row does not allow the change. */
    REFUSED(ProblemKind.REFUSED),
    /** Somebody else holds the row and the request does not wait. */
    ROW_HELD(ProblemKind.ROW_HELD),
    /** Somebody changed it since the client read it, told by If-Match; {@code current} is how it is now. */
    PRECONDITION_FAILED(ProblemKind.PRECONDITION_FAILED),
    /** The body is longer than allowed. */
    CONTENT_TOO_LARGE(ProblemKind.CONTENT_TOO_LARGE),
    /** The body is in a form that is not understood. */
    UNSUPPORTED_MEDIA_TYPE(HttpStatus.UNSUPPORTED_MEDIA_TYPE, "The form of the body is not supported"),
    /** A transfer from a wallet to itself. */
    SAME_WALLET(HttpStatus.UNPROCESSABLE_CONTENT, "A transfer needs two wallets"),
    /** The Idempotency-Key came with another request before. */
    IDEMPOTENCY_KEY_REUSED(ProblemKind.IDEMPOTENCY_KEY_REUSED),
    /** The prices of an order add up to more than can be paid; {@code limit} is the most. */
    ORDER_LIMIT(HttpStatus.UNPROCESSABLE_CONTENT, "The order is too large"),
    /** The change needs an If-Match with the ETag that was read. */
    PRECONDITION_REQUIRED(ProblemKind.PRECONDITION_REQUIRED),
    /** Somebody else held the row for longer than the limit. */
    LOCK_TIMEOUT(ProblemKind.LOCK_TIMEOUT),
    /** Every attempt collided with others. */
    TOO_MANY_CONFLICTS(ProblemKind.TOO_MANY_CONFLICTS),
    /** The database took longer than the limit. */
    STATEMENT_TIMEOUT(ProblemKind.STATEMENT_TIMEOUT),
    /** No connection to the database could be had, or it broke. */
    DATABASE_UNAVAILABLE(ProblemKind.DATABASE_UNAVAILABLE),
    /** The work was given up before it was done. */
    INTERRUPTED(ProblemKind.INTERRUPTED),
    /** The connection broke during the commit: the change was made or not. */
    OUTCOME_UNKNOWN(ProblemKind.OUTCOME_UNKNOWN),
    /** Something failed inside; {@code incident} finds it in the log. */
    INTERNAL_ERROR(ProblemKind.INTERNAL_ERROR),
    /** Any other error of the client's. */
    BAD_REQUEST(HttpStatus.BAD_REQUEST, "The request cannot be understood");

    private final HttpStatus status;
    private final String title;

    ProblemType(HttpStatus status, String title) {
        this.status = status;
        this.title = title;
    }

    /** One that is not the service's own. */
    ProblemType(ProblemKind general) {
        this(HttpStatus.valueOf(general.status()), general.title());
    }

    /** The status that goes with it. */
    public HttpStatus status() {
        return status;
    }

    /** A short text, the same for every occurrence. */
    public String title() {
        return title;
    }

    /** The stable name: {@code urn:rowlock:problem:insufficient-funds}. */
    public URI uri() {
        return URI.create(
                "urn:rowlock:problem:" + name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    /** The type for an error of which only the status is known. */
    static ProblemType forStatus(int status) {
        return switch (status) {
            // 501 and 505: a transfer coding or version of HTTP that is not spoken here.
            case 400, 501, 505 -> BAD_REQUEST;
            case 404 -> NOT_FOUND;
            case 409 -> REFUSED;
            case 503 -> DATABASE_UNAVAILABLE;
            default ->
                Arrays.stream(values())
                        .filter(type -> type.status.value() == status && type != OUTCOME_UNKNOWN)
                        .findFirst()
                        .orElse(status < 500 ? BAD_REQUEST : INTERNAL_ERROR);
        };
    }
}
