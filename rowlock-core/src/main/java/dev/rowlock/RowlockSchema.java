package dev.rowlock;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The tables of Rowlock's own packages. All names begin with {@code rowlock_}. The same SQL can be run by Flyway: the files are in
 * the jar under {@code classpath:dev/rowlock/migration} and named as Flyway wants them. Give them a history table of their own, since
 * their versions are not yours. Every file can be run again without harm, so the two ways can be mixed.
 */
public final class RowlockSchema {
    /** In the order of their versions; a file that was published is never changed. */
    private static final List<String> FILES = List.of("V1__idempotency_keys.sql", "V2__jobs.sql", "V3__tree_locks.sql");

    private RowlockSchema() {}

    /**
     * Creates what is not there yet in the first schema of the search path, in one transaction. Several instances may do so at once:
     * one works, the others wait up to the lock timeout and find it done.
     *
     * @throws DatabaseException if the database refuses, for example for want of the right to create tables
     * @throws LockTimeoutException if another instance takes longer than the lock timeout
     */
    public static void install(Rowlock rowlock) {
        rowlock.run(tx -> {
            tx.query("SELECT pg_advisory_xact_lock(hashtextextended('rowlock schema ' || current_schema(), 0))");
            for (String file : FILES) {
                tx.query(read(file));
            }
        });
    }

    private static String read(String file) {
        try (InputStream in = RowlockSchema.class.getResourceAsStream("migration/" + file)) {
            if (in == null) {
                throw new IllegalStateException("the jar lacks dev/rowlock/migration/" + file);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
