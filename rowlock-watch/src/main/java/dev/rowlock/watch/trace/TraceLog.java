package dev.rowlock.watch.trace;

import java.util.Locale;
import java.util.StringJoiner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a line for each record at level INFO to the logger {@value #LOGGER}:
 *
 * <pre>
 * c1 t7 begin    READ COMMITTED
 * c1 t7 0.41 ms  1 read  SELECT balance FROM wallet WHERE id = ? FOR UPDATE  at shop.Wallets.charge(Wallets.java:31)
 * c1 t7 0.22 ms  1 changed  UPDATE wallet SET balance = ? WHERE id = ?  at shop.Wallets.charge(Wallets.java:36)
 * c1 t7 commit   2 statements in 3.10 ms, 1.20 ms of it outside of the database
 * c1 auto 0.30 ms  1 read  SELECT 1
 * </pre>
 */
public final class TraceLog implements TraceListener {
    /** The name of the logger. */
    public static final String LOGGER = "dev.rowlock.trace";

    private static final Logger LOG = LoggerFactory.getLogger(LOGGER);
    private static final double NANOS_PER_MILLI = 1e6;
    private static final int LONGEST_SQL = 2_000;

    private final boolean values;

    /**
     * A log.
     *
     * @param values whether the values of parameters are written, which may be passwords or personal data
     */
    public TraceLog(boolean values) {
        this.values = values;
    }

    @Override
    public void record(TraceRecord record) {
        if (LOG.isInfoEnabled()) {
            LOG.info(line(record));
        }
    }

    /** The line for this record. */
    public String line(TraceRecord record) {
        Session session = record.session();
        String where =
                "c" + session.connection() + (session.autoCommitted() ? " auto " : " t" + session.transaction() + " ");
        if (record instanceof TracedTransaction transaction) {
            return where + line(transaction);
        }
        return where + line((TracedStatement) record);
    }

    private String line(TracedTransaction transaction) {
        String failed =
                transaction.failure().map(failure -> "  " + failed(failure)).orElse("");
        return switch (transaction.event()) {
            case BEGUN -> "begin  " + transaction.session().isolation();
            case COMMITTED -> "commit  " + summary(transaction);
            case ROLLED_BACK -> "rollback  " + summary(transaction) + failed;
            case UNKNOWN -> "commit UNKNOWN  " + summary(transaction) + failed;
        };
    }

    private static String summary(TracedTransaction transaction) {
        int count = transaction.statements();
        return count + (count == 1 ? " statement in " : " statements in ") + millis(transaction.nanos()) + ", "
                + millis(transaction.outsideNanos()) + " of it outside of the database";
    }

    private String line(TracedStatement statement) {
        StringJoiner line = new StringJoiner("  ");
        line.add(millis(statement.times().databaseNanos()));
        if (statement.rowsRead() > 0) {
            line.add(statement.rowsRead() + " read");
        }
        if (!statement.changed().isEmpty()) {
            line.add(statement.rowsChanged() + " changed");
        }
        String sql = oneLine(values ? statement.text() : statement.sql());
        line.add(sql.length() <= LONGEST_SQL ? sql : sql.substring(0, LONGEST_SQL) + "…");
        int parts = statement.parts().size() + statement.partsLeftOut();
        if (parts > 1) {
            line.add("(" + parts + " statements)");
        }
        if (!statement.parsed()) {
            line.add("(not parsed)");
        }
        statement.failure().ifPresent(failure -> line.add(failed(failure)));
        statement.caller().ifPresent(caller -> line.add("at " + caller));
        return line.toString();
    }

    /** The message of an error may hold values, such as those of a key that exists already. */
    private String failed(Failure failure) {
        return "failed " + failure.sqlState() + (values ? ": " + oneLine(failure.message()) : "");
    }

    /** A value must not be able to begin a line of its own. */
    private static String oneLine(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.2f ms", nanos / NANOS_PER_MILLI);
    }
}
