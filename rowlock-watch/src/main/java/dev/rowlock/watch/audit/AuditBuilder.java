package dev.rowlock.watch.audit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says what an {@link Audit} looks for. */
public final class AuditBuilder {
    /** The name of the logger of {@link #logging()}. */
    public static final String LOGGER = "dev.rowlock.audit";

    private static final Logger LOG = LoggerFactory.getLogger(LOGGER);

    private final Map<String, String> versions = new HashMap<>();
    private final List<Consumer<Finding>> listeners = new ArrayList<>();
    private int wideLockRows = 100;
    private Duration longHold = Duration.ofMillis(100);
    private Duration window = Duration.ofSeconds(1);

    AuditBuilder() {}

    /**
     * How many rows one query may lock, 100 by default.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public AuditBuilder wideLockRows(int rows) {
        if (rows < 1) {
            throw new IllegalArgumentException("wideLockRows: must be positive, not " + rows);
        }
        wideLockRows = rows;
        return this;
    }

    /**
     * How long a transaction may be outside of the database while it holds a lock, 100 ms by default.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public AuditBuilder longHold(Duration limit) {
        longHold = positive("longHold", limit);
        return this;
    }

    /**
     * How long after a read that commits by itself a write of the same thread is taken to rest on it, 1 s by default.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public AuditBuilder readThenWriteWithin(Duration limit) {
        window = positive("readThenWriteWithin", limit);
        return this;
    }

    private static Duration positive(String name, Duration limit) {
        if (limit.isNegative() || limit.isZero()) {
            throw new IllegalArgumentException(name + ": must be positive, not " + limit);
        }
        return limit;
    }

    /** The table has this version column, which every UPDATE has to raise or to check. */
    public AuditBuilder versioned(String table, String column) {
        versions.put(table.toLowerCase(Locale.ROOT), column.toLowerCase(Locale.ROOT));
        return this;
    }

    /** Is told of every finding, each time, with its count; in the thread of the program. */
    public AuditBuilder onFinding(Consumer<Finding> listener) {
        listeners.add(listener);
        return this;
    }

    /** Writes every finding once to the logger {@value #LOGGER} at level WARN. */
    public AuditBuilder logging() {
        return onFinding(finding -> {
            if (finding.count() == 1) {
                LOG.warn("{}", finding);
            }
        });
    }

    public Audit build() {
        return new Audit(new AuditRules(wideLockRows, longHold.toNanos(), window.toNanos(), versions), listeners);
    }
}
