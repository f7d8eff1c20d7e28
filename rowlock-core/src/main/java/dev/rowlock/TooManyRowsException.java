package dev.rowlock;

/**
 * A request would lock more rows than its limit allows. The transaction is rolled back, even if this is caught. Fix the program:
 * narrow the request, work in portions with {@link Lock#first}, or raise the limit with {@link Lock#limit}. HTTP: 500.
 */
public final class TooManyRowsException extends RowlockException {
    /** For what is built on units of work. Must be thrown out of the unit of work, which rolls it back. */
    public TooManyRowsException(String message) {
        super(message, null);
    }
}
