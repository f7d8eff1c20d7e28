package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** An insert of a child row share-locks its parent; locking the parent afterwards is an upgrade. Two of them meet. */
class ForeignKeyLockTest extends DatabaseTest {
    private static final Table FOLDERS = Table.of("folder", "id");
    private static final Table FILES = Table.of("file", "id");

    ForeignKeyLockTest() {
        super(
                "CREATE TABLE folder (id bigint PRIMARY KEY, used int NOT NULL)",
                "CREATE TABLE file (id bigserial PRIMARY KEY, folder_id bigint NOT NULL REFERENCES folder, size int)",
                "INSERT INTO folder VALUES (1, 0)");
    }

    @Test
    void defaultStrengthDoesNotConflictWithAnInsertedChild() throws Exception {
        Both both = uploadTwice(Lock.forNoKeyUpdate());

        assertThat(both.first()).isEqualTo(1);
        assertThat(both.second()).isEqualTo(1);
        assertThat(database.number("SELECT used FROM folder")).isEqualTo(20);
        assertThat(database.deadlocks()).isZero();
    }

    /** The broken twin: FOR UPDATE waits for the other's share lock, and the other for ours. */
    @Test
    void forUpdateDeadlocksWithAnInsertedChild() throws Exception {
        Both both = uploadTwice(Lock.forUpdate());

        assertThat(new Object[] {both.first(), both.second()})
                .hasAtLeastOneElementOfType(Integer.class)
                .hasAtLeastOneElementOfType(RetriesExhaustedException.class)
                .anySatisfy(loser -> assertThat(loser)
                        .isInstanceOfSatisfying(RetriesExhaustedException.class, exhausted -> {
                            assertThat(exhausted.attempts()).isEqualTo(1);
                            assertThat(exhausted.sqlState()).contains("40P01");
                            assertThat(exhausted.getCause()).isInstanceOf(TransactionConflictException.class);
                        }));
        assertThat(database.number("SELECT used FROM folder")).isEqualTo(10);
        assertThat(database.number("SELECT count(*) FROM file")).isEqualTo(1);
        database.awaitDeadlocks(1);
    }

    private record Both(Object first, Object second) {}

    private Both uploadTwice(Lock lock) throws Exception {
        CountDownLatch bothHaveInserted = new CountDownLatch(2);
        Future<Object> second = threads.start(() -> upload(lock, bothHaveInserted));
        return new Both(upload(lock, bothHaveInserted), Threads.result(second));
    }

    /** One upload, or the exception. */
    private Object upload(Lock lock, CountDownLatch bothHaveInserted) {
        try {
            return rowlock.withMaxAttempts(1).call(tx -> {
                tx.insert(FILES).set("folder_id", 1).set("size", 10).apply();
                bothHaveInserted.countDown();
                Threads.await(bothHaveInserted);
                tx.lock(FOLDERS, 1, lock);
                must(tx.update(FOLDERS, 1).add("used", 10).apply());
                return 1;
            });
        } catch (RetriesExhaustedException e) {
            return e;
        }
    }
}
