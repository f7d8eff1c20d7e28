package dev.rowlock.watch.trace;

import dev.rowlock.watch.internal.LockScan;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says that what is sent next is meant to lock, so that the lock audit can find a lock that never reached the SQL: because the lock mode
 * was set on the wrong query, or a provider ignored it.
 *
 * <pre>{@code
 * try (ExpectedLock expected = ExpectedLock.on("wallet")) {
 *     entities.find(Wallet.class, id, LockModeType.PESSIMISTIC_WRITE);
 * }
 * }</pre>
 *
 * The first query of the table that this thread sends in the block is the one that is meant. A block that sends none is no finding.
 */
public final class ExpectedLock implements AutoCloseable {
    private static final ThreadLocal<@Nullable ExpectedLock> INNERMOST = new ThreadLocal<>();

    private final String table;
    private final @Nullable ExpectedLock outer;
    private boolean used;

    private ExpectedLock(String table, @Nullable ExpectedLock outer) {
        this.table = table;
        this.outer = outer;
    }

    /**
     * From now on until it is closed, by this thread.
     *
     * @param table its name as in the SQL, with its schema unless that is {@code public}; without quotes
     */
    public static ExpectedLock on(String table) {
        ExpectedLock expected =
                new ExpectedLock(LockScan.withoutPublic(table.toLowerCase(Locale.ROOT)), INNERMOST.get());
        INNERMOST.set(expected);
        return expected;
    }

    /** Those of these tables whose lock is expected of the query, which uses the expectation up. */
    static Set<String> of(Iterable<String> tables) {
        if (INNERMOST.get() == null) {
            return Set.of();
        }
        Set<String> expected = new HashSet<>();
        for (String read : tables) {
            for (ExpectedLock one = INNERMOST.get(); one != null; one = one.outer) {
                if (!one.used && one.table.equals(read.toLowerCase(Locale.ROOT))) {
                    one.used = true;
                    expected.add(read);
                }
            }
        }
        return expected;
    }

    @Override
    public void close() {
        if (outer == null) {
            INNERMOST.remove();
        } else {
            INNERMOST.set(outer);
        }
    }
}
