package dev.rowlock;

import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Another transaction holds the row and did not let go in time (SQLSTATE 55P03). The caller can try later. HTTP: 409 with
 * {@code Retry-After} if {@link #noWait()}, 503 with {@code Retry-After} otherwise.
 */
public final class LockTimeoutException extends RowlockException {
    private final transient @Nullable Table table;
    private final boolean noWait;

    LockTimeoutException(String message, @Nullable Table table, boolean noWait, SQLException cause) {
        super(message, cause);
        this.table = table;
        this.noWait = noWait;
    }

    /** The table whose row is held, where known. */
    public Optional<Table> table() {
        return Optional.ofNullable(table);
    }

    /** Whether the request had asked not to wait at all. */
    public boolean noWait() {
        return noWait;
    }
}
