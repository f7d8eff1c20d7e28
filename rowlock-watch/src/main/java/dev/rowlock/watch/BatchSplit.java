package dev.rowlock.watch;

import dev.rowlock.watch.Interceptor.Sending;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Sends the statements of a batch one by one, and comes to what the whole batch would have come to. */
final class BatchSplit {
    /** Where the driver's message names the place in the batch, which is always the first of one. */
    private static final Pattern PLACE = Pattern.compile("\\b0\\b");

    private final List<BoundSql> batch;
    private final Connection connection;
    private final Sending sending;
    private final One one;

    /** Makes a statement ready that has one of the batch, and nothing else, in its own. */
    @FunctionalInterface
    interface One {
        Statement ready(BoundSql statement) throws Throwable;
    }

    BatchSplit(List<BoundSql> batch, Connection connection, Sending sending, One one) {
        this.batch = batch;
        this.connection = connection;
        this.sending = sending;
        this.one = one;
    }

    /** The counts, as {@code long[]} or {@code int[]}. */
    Object send(boolean large) throws Throwable {
        return sending == Sending.ONE_BY_ONE_IN_A_TRANSACTION ? sendInTransaction(large) : sendEach(large);
    }

    private Object sendInTransaction(boolean large) throws Throwable {
        connection.setAutoCommit(false);
        Object counts;
        try {
            counts = sendEach(large);
            commit();
        } catch (Throwable e) {
            rollBack(e);
            throw e;
        }
        connection.setAutoCommit(true);
        return counts;
    }

    private Object sendEach(boolean large) throws Throwable {
        return large ? large() : small();
    }

    private long[] large() throws Throwable {
        long[] counts = new long[batch.size()];
        for (int i = 0; i < counts.length; i++) {
            Statement statement = one.ready(batch.get(i));
            try {
                counts[i] = statement.executeLargeBatch()[0];
            } catch (BatchUpdateException e) {
                throw failed(e, i);
            }
        }
        return counts;
    }

    private int[] small() throws Throwable {
        int[] counts = new int[batch.size()];
        for (int i = 0; i < counts.length; i++) {
            Statement statement = one.ready(batch.get(i));
            try {
                counts[i] = statement.executeBatch()[0];
            } catch (BatchUpdateException e) {
                throw failed(e, i);
            }
        }
        return counts;
    }

    /** What the driver says of the whole batch when one of it fails: nothing of it has been done. */
    private BatchUpdateException failed(BatchUpdateException e, int place) {
        String message = PLACE.matcher(String.valueOf(e.getMessage()))
                .replaceFirst(Matcher.quoteReplacement(Integer.toString(place)));
        return failed(message, e, e.getCause() == null ? e : e.getCause(), e.getNextException());
    }

    private BatchUpdateException failed(String message, SQLException e, Throwable cause, @Nullable SQLException next) {
        long[] counts = new long[batch.size()];
        Arrays.fill(counts, Statement.EXECUTE_FAILED);
        BatchUpdateException failed =
                new BatchUpdateException(message, e.getSQLState(), e.getErrorCode(), counts, cause);
        if (next != null) {
            failed.setNextException(next);
        }
        return failed;
    }

    private void commit() throws SQLException {
        try {
            connection.commit();
        } catch (SQLException e) {
            // Such as a constraint that is checked at the end: the driver comes upon it behind the last of the batch.
            throw failed(
                    "Batch entry " + batch.size() + " <unknown> was aborted: " + e.getMessage()
                            + "  Call getNextException to see other errors in the batch.",
                    e,
                    e,
                    e);
        }
    }

    private void rollBack(Throwable reason) {
        try {
            connection.rollback();
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            reason.addSuppressed(e);
        }
    }
}
