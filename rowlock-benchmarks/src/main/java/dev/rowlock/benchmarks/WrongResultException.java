package dev.rowlock.benchmarks;

/** What was measured did not do its work: the number is void, however good it looks. */
final class WrongResultException extends Exception {
    private static final long serialVersionUID = 1L;

    WrongResultException(String message) {
        super(message);
    }

    static void require(boolean right, String what) throws WrongResultException {
        if (!right) {
            throw new WrongResultException(what);
        }
    }
}
