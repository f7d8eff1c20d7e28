package dev.rowlock;

/**
 * A request would lock more rows than its limit allows. The transaction is rolled back, even if this is caught. Fix the program:
 * narrow the request, work in portions with {@link Lock#first}, or raise the limit with {@link Lock#limit}. HTTP: 500.
 */
public final class TooManyRowsException extends RowlockException {
    TooManyRowsException(String message) {
        super(message, null);
    }
}
