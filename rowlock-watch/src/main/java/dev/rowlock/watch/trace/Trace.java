package dev.rowlock.watch.trace;

import dev.rowlock.watch.InterceptedDataSource;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * Writes down every statement that is sent through data sources, as records: to listeners, and into a memory of the latest.
 *
 * <pre>{@code
 * Trace trace = Trace.builder().logging().build();
 * DataSource traced = trace.over(dataSource);
 * }</pre>
 *
 * A query is recorded once its result is read to its end or closed, or the connection is used for something else, so that its rows can be
 * counted. Stand it in front of a pool, or behind: behind, a connection that is lent again keeps its number. It asks the server for the
 * isolation level once for each data source, with the first connection.
 *
 * <p>Not seen is what the program does with an unwrapped connection or statement, with large objects and COPY, and what functions, triggers
 * and foreign keys do in the database.
 */
public final class Trace {
    private final Recording recording;
    private final Ring ring;

    Trace(Recording recording, Ring ring) {
        this.recording = recording;
        this.ring = ring;
    }

    /** A trace with the defaults of {@link TraceBuilder}. */
    public static TraceBuilder builder() {
        return new TraceBuilder();
    }

    /** The data source with this trace before it; to be made once, not for each use. */
    public DataSource over(DataSource dataSource) {
        return InterceptedDataSource.of(dataSource, new TraceInterceptor(recording));
    }

    /** The records in memory, the oldest first; those of queries whose results are still open too. */
    public Stream<TraceRecord> records() {
        flush();
        return List.copyOf(ring.records()).stream();
    }

    /** The statements among {@link #records()}. */
    public Stream<TracedStatement> statements() {
        return records().filter(TracedStatement.class::isInstance).map(TracedStatement.class::cast);
    }

    /** The begins and ends of transactions among {@link #records()}. */
    public Stream<TracedTransaction> transactions() {
        return records().filter(TracedTransaction.class::isInstance).map(TracedTransaction.class::cast);
    }

    /** How many records were pushed out of the memory by later ones. */
    public long overflow() {
        return ring.overflow();
    }

    /** How many times a listener, or the trace itself, threw. Each is in the log of this class. */
    public long failures() {
        return recording.failures();
    }

    /** Forgets what is in memory, and the count of {@link #overflow()}. */
    public void clear() {
        flush();
        ring.clear();
    }

    /** Records the queries whose results are still open, with the rows that were read until now. */
    public void flush() {
        recording.flush();
    }
}
