package dev.rowlock.watch.trace;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** Says what a {@link Trace} does. */
public final class TraceBuilder {
    /** Names of classes that begin so are those of libraries. */
    private static final List<String> LIBRARIES = List.of(
            "java.",
            "javax.",
            "jakarta.",
            "jdk.",
            "sun.",
            "com.sun.",
            "org.postgresql.",
            "com.zaxxer.",
            "org.hibernate.",
            "org.springframework.",
            "net.ttddyy.",
            "org.jooq.",
            "org.jdbi.",
            "org.apache.ibatis.",
            "org.flywaydb.",
            "liquibase.",
            "com.p6spy.",
            "kotlin.",
            "scala.",
            "groovy.",
            "org.junit.",
            "dev.rowlock.watch.",
            "dev.rowlock.prover.",
            "dev.rowlock.jpa.",
            "dev.rowlock.spring.",
            "dev.rowlock.counter.",
            "dev.rowlock.tree.",
            "dev.rowlock.once.",
            "dev.rowlock.jobs.",
            "dev.rowlock.internal.",
            "com.sun.proxy.",
            "$Proxy");

    private static final int MOST_RECORDS = 1_000_000;

    private final Map<String, Boolean> skipped = new LinkedHashMap<>();
    private final List<TraceListener> listeners = new ArrayList<>();
    private int capacity = 10_000;
    private boolean callers = true;
    private boolean hidden;
    private LongSupplier nanos = System::nanoTime;

    TraceBuilder() {
        LIBRARIES.forEach(prefix -> skipped.put(prefix, true));
    }

    /** Tells it of every record; after those that were given before. */
    public TraceBuilder listener(TraceListener listener) {
        listeners.add(listener);
        return this;
    }

    /** Logs every record, values hidden, as {@link TraceLog} does. */
    public TraceBuilder logging() {
        return listener(new TraceLog(false));
    }

    /** Logs every record with the values of its parameters: passwords and personal data too, if the program sends them. */
    public TraceBuilder loggingValues() {
        return listener(new TraceLog(true));
    }

    /**
     * How many records are kept in memory; the oldest are pushed out and counted. The default is 10,000, and 0 keeps none.
     *
     * @throws IllegalArgumentException if it is negative or above 1,000,000
     */
    public TraceBuilder capacity(int records) {
        if (records < 0 || records > MOST_RECORDS) {
            throw new IllegalArgumentException(
                    "capacity: 0 to " + MOST_RECORDS + " records can be kept, not " + records);
        }
        capacity = records;
        return this;
    }

    /**
     * Does not look for callers. Otherwise each statement in memory keeps its {@link CallStack} until the caller is asked for: about a
     * microsecond to take, and some tens of bytes for each frame.
     */
    public TraceBuilder withoutCallers() {
        callers = false;
        return this;
    }

    /** Classes whose names begin so are no callers, besides those of the JDK, of drivers and of well-known libraries. */
    public TraceBuilder skip(String prefix) {
        skipped.put(prefix, true);
        return this;
    }

    /** Classes whose names begin so are callers, although a shorter prefix is skipped. */
    public TraceBuilder keep(String prefix) {
        skipped.put(prefix, false);
        return this;
    }

    /** Keeps no values of parameters, only marks by which equal ones can be told; constants in the SQL itself stay. */
    public TraceBuilder hidingValues() {
        hidden = true;
        return this;
    }

    /** The clock, in nanoseconds from any moment on; {@link System#nanoTime()} by default. */
    public TraceBuilder clock(LongSupplier clock) {
        nanos = clock;
        return this;
    }

    public Trace build() {
        Ring ring = new Ring(capacity);
        List<TraceListener> all = new ArrayList<>(listeners);
        all.add(0, ring::add);
        return new Trace(
                new Recording(List.copyOf(all), nanos, callers ? new Callers(skipped) : null, new Values(hidden)),
                ring);
    }
}
