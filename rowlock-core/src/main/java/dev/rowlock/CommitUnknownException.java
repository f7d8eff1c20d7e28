package dev.rowlock;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The connection broke during COMMIT and the server could not be asked what became of it: the work is either in the database as
 * a whole or not at all. The caller must look before trying again. HTTP: 500, saying so. Work given to {@link Tx#afterCommit}
 * is not run.
 */
public final class CommitUnknownException extends RowlockException {
    private final @Nullable String transactionId;

    CommitUnknownException(String message, @Nullable String transactionId, Throwable cause) {
        super(message, cause);
        this.transactionId = transactionId;
    }

    /**
     * The transaction's id, if a locking or writing statement of Rowlock brought it back: {@code SELECT pg_xact_status('id')}
     * tells the outcome once the server can be reached.
     */
    public Optional<String> transactionId() {
        return Optional.ofNullable(transactionId);
    }
}
