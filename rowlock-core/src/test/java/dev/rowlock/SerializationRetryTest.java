package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Isolation levels above READ COMMITTED end a race with 40001, and Rowlock runs the function again. */
class SerializationRetryTest extends DatabaseTest {
    private static final Table DOCTORS = Table.of("doctor", "id");

    private final AtomicInteger attempts = new AtomicInteger();

    SerializationRetryTest() {
        super(
                "CREATE TABLE doctor (id bigint PRIMARY KEY, on_call boolean NOT NULL, shifts int NOT NULL)",
                "INSERT INTO doctor VALUES (1, true, 0), (2, true, 0)");
    }

    @Test
    void updateOfAChangedRowAtRepeatableReadIsRunAgain() {
        countShift(rowlock.withIsolation(Isolation.REPEATABLE_READ));

        assertThat(attempts).hasValue(2);
        assertThat(database.number("SELECT shifts FROM doctor WHERE id = 1")).isEqualTo(11);
    }

    /** The broken twin: the same function at READ COMMITTED overwrites what was written meanwhile. */
    @Test
    void sameFunctionAtReadCommittedLosesTheUpdate() {
        countShift(rowlock);

        assertThat(attempts).hasValue(1);
        assertThat(database.number("SELECT shifts FROM doctor WHERE id = 1")).isEqualTo(1);
    }

    @Test
    void writeSkewAtSerializableIsRunAgainAndSeesTheOther() throws Exception {
        Both both = bothGoHome(rowlock.withIsolation(Isolation.SERIALIZABLE));

        assertThat(new Boolean[] {both.first(), both.second()}).containsExactlyInAnyOrder(true, false);
        assertThat(attempts).hasValue(3);
        assertThat(onCall()).isEqualTo(1);
    }

    /** The broken twin: at REPEATABLE READ the two write different rows and nobody is left. */
    @Test
    void writeSkewAtRepeatableReadLeavesNobody() throws Exception {
        Both both = bothGoHome(rowlock.withIsolation(Isolation.REPEATABLE_READ));

        assertThat(both).isEqualTo(new Both(true, true));
        assertThat(onCall()).isZero();
    }

    @Test
    void isolationLevelIsInForceAndEndsWithTheTransaction() throws Exception {
        for (Isolation level : Isolation.values()) {
            assertThat(levelInForce(rowlock.withIsolation(level)))
                    .isEqualToIgnoringCase(level.name().replace('_', ' '));
        }
        assertThat(levelInForce(rowlock)).isEqualTo("read committed");
    }

    private static String levelInForce(Rowlock rowlock) throws SQLException {
        return rowlock.call(tx -> text(tx, "SELECT current_setting('transaction_isolation')"));
    }

    /** Reads without a lock, is overtaken once, and writes what it computed from the old number. */
    private void countShift(Rowlock rowlock) {
        rowlock.run(tx -> {
            long seen = tx.peek(DOCTORS, 1).orElseThrow().getLong("shifts");
            if (attempts.incrementAndGet() == 1) {
                database.sql("UPDATE doctor SET shifts = 10 WHERE id = 1");
            }
            must(tx.update(DOCTORS, 1).set("shifts", seen + 1).apply());
        });
    }

    private record Both(boolean first, boolean second) {}

    private Both bothGoHome(Rowlock rowlock) throws Exception {
        CountDownLatch bothHaveLooked = new CountDownLatch(2);
        Future<Boolean> second = threads.start(() -> goHome(rowlock, 2, bothHaveLooked));
        return new Both(goHome(rowlock, 1, bothHaveLooked), Threads.result(second));
    }

    private boolean goHome(Rowlock rowlock, long id, CountDownLatch bothHaveLooked) {
        return rowlock.call(tx -> {
            attempts.incrementAndGet();
            boolean otherStays = tx.peek(DOCTORS, 3 - id).orElseThrow().getBoolean("on_call");
            bothHaveLooked.countDown();
            Threads.await(bothHaveLooked);
            if (!otherStays) {
                return false;
            }
            must(tx.update(DOCTORS, id).set("on_call", false).apply());
            return true;
        });
    }

    private long onCall() {
        return database.number("SELECT count(*) FROM doctor WHERE on_call");
    }
}
