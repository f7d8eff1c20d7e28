package dev.rowlock.watch.trace;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What all connections of a trace share. */
final class Recording {
    private static final Logger LOG = LoggerFactory.getLogger(Trace.class);

    private final List<TraceListener> listeners;
    private final LongSupplier nanos;
    private final @Nullable Callers callers;
    private final Values values;
    private final Shapes shapes = new Shapes();
    private final AtomicLong connections = new AtomicLong();
    private final AtomicLong transactions = new AtomicLong();
    private final AtomicLong records = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    /** Those that are open. */
    private final Map<Long, TracedConnection> open = new ConcurrentHashMap<>();

    Recording(List<TraceListener> listeners, LongSupplier nanos, @Nullable Callers callers, Values values) {
        this.listeners = listeners;
        this.nanos = nanos;
        this.callers = callers;
        this.values = values;
    }

    /** Several data sources may give the same numbers to their connections. */
    TracedConnection open(Isolation isolation) {
        TracedConnection connection = new TracedConnection(this, connections.incrementAndGet(), isolation);
        open.put(connection.number(), connection);
        return connection;
    }

    void closed(TracedConnection connection) {
        open.remove(connection.number());
    }

    void flush() {
        open.values().forEach(TracedConnection::flush);
    }

    long now() {
        return nanos.getAsLong();
    }

    CallStack stack() {
        return callers == null ? CallStack.NONE : CallStack.take(callers);
    }

    List<SqlShape> shapes(String sql) {
        return shapes.of(sql);
    }

    Values values() {
        return values;
    }

    long nextTransaction() {
        return transactions.incrementAndGet();
    }

    long nextRecord() {
        return records.incrementAndGet();
    }

    long failures() {
        return failures.get();
    }

    void failed(RuntimeException error) {
        failures.incrementAndGet();
        LOG.error("the trace could not record a call", error);
    }

    void tell(TraceRecord record) {
        for (TraceListener listener : listeners) {
            try {
                listener.record(record);
            } catch (RuntimeException e) {
                failures.incrementAndGet();
                LOG.error("a listener of the trace failed at record {}", record.number(), e);
            }
        }
    }
}
