package dev.rowlock.once;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.DatabaseTest;
import dev.rowlock.Isolation;
import dev.rowlock.RowlockSchema;
import dev.rowlock.Session;
import dev.rowlock.Threads;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A key lives as long as it was told to, on the database's clock, and its row until somebody clears it away. */
class OnceExpiryTest extends DatabaseTest {
    private static final Fingerprint REQUEST = Fingerprint.of("request");
    private static final OnceKey KEY = new OnceKey("acme", "k-1");
    private static final String EXPIRE = "UPDATE rowlock_once SET expires_at = now() - interval '1 second'";

    private final AtomicInteger runs = new AtomicInteger();
    private Once once;

    @BeforeEach
    void install() {
        RowlockSchema.install(rowlock);
        once = Once.over(rowlock);
    }

    private OnceResult run(String key) {
        return once.run(
                new OnceKey("acme", key),
                REQUEST,
                tx -> Answer.of("run " + runs.incrementAndGet()).withHeader("A", "b"));
    }

    private long keys() {
        return database.number("SELECT count(*) FROM rowlock_once");
    }

    @Test
    void keyIsKeptForADayOrAsLongAsAsked() {
        run("k-1");
        assertThat(database.number("SELECT extract(epoch FROM expires_at - created_at) FROM rowlock_once"))
                .isEqualTo(86_400);

        once = Once.builder(rowlock).retention(Duration.ofHours(1)).build();
        run("k-2");
        assertThat(database.number(
                        "SELECT extract(epoch FROM expires_at - created_at) FROM rowlock_once WHERE key = 'k-2'"))
                .isEqualTo(3_600);
    }

    @Test
    void expiredKeyIsFreeForAnyRequest() {
        run("k-1");
        database.sql(EXPIRE);

        OnceResult other = once.run(KEY, Fingerprint.of("other"), tx -> Answer.of("other"));

        assertThat(other).isEqualTo(new OnceResult(Answer.of("other"), false));
        assertThat(once.run(KEY, Fingerprint.of("other"), tx -> Answer.of("")).answer())
                .isEqualTo(Answer.of("other"));
        assertThat(keys()).isEqualTo(1);
        assertThat(database.number("SELECT extract(epoch FROM expires_at - created_at) FROM rowlock_once"))
                .isEqualTo(86_400);
    }

    @Test
    void expiredKeyIsTakenOverByOneOfTwo() {
        for (Isolation level : Isolation.values()) {
            Once at = Once.over(rowlock.withIsolation(level));
            run("k-1");
            database.sql(EXPIRE);
            Threads.Both both = threads.secondWaits(
                    database,
                    meet -> at.run(KEY, REQUEST, tx -> {
                        meet.run();
                        return Answer.of("new " + runs.incrementAndGet());
                    }));
            OnceResult first = (OnceResult) both.first();
            assertThat(first.replayed()).isFalse();
            assertThat(both.second()).isEqualTo(new OnceResult(first.answer(), true));
        }
    }

    @Test
    void takeoverThatFailsLeavesTheKeyToTheNext() {
        run("k-1");
        database.sql(EXPIRE);
        Threads.Both both = threads.secondWaits(
                database,
                meet -> once.run(KEY, REQUEST, tx -> {
                    meet.run();
                    throw new IllegalStateException("failed");
                }),
                meet -> once.run(KEY, REQUEST, tx -> Answer.of("second")));
        assertThat(both.second()).isEqualTo(new OnceResult(Answer.of("second"), false));
    }

    @Test
    void cleanUpDeletesTheOldestExpiredOnesUpToItsLimit() {
        run("k-1");
        run("k-2");
        run("k-3");
        database.sql(EXPIRE, "UPDATE rowlock_once SET expires_at = now() - interval '2 seconds' WHERE key = 'k-2'");
        run("alive");

        assertThat(once.cleanUp(1)).isEqualTo(1);
        assertThat(database.number("SELECT count(*) FROM rowlock_once WHERE key = 'k-2'"))
                .isZero();
        assertThat(once.cleanUp(10)).isEqualTo(2);
        assertThat(once.cleanUp(10)).isZero();
        assertThat(run("alive").replayed()).isTrue();
    }

    @Test
    void cleanUpPassesOverAKeyThatIsBeingTakenOver() throws ExecutionException {
        run("k-1");
        run("k-2");
        database.sql(EXPIRE);

        OnceResult result = once.<ExecutionException>run(KEY, REQUEST, tx -> {
            assertThat(cleanUpElsewhere()).isEqualTo(1);
            return Answer.of("taken over");
        });

        assertThat(once.run(KEY, REQUEST, tx -> Answer.of(""))).isEqualTo(new OnceResult(result.answer(), true));
        assertThat(keys()).isEqualTo(1);
    }

    private int cleanUpElsewhere() throws ExecutionException {
        return Threads.result(threads.start(() -> once.cleanUp(10)));
    }

    /** A clean-up that hangs in the middle: only whoever brings a key that is being deleted waits for it. */
    @Test
    void requestsPassACleanUp() throws SQLException {
        run("expired");
        database.sql(EXPIRE);
        run("alive");
        try (Session cleaner = Session.open(database)) {
            cleaner.run("DELETE FROM rowlock_once WHERE expires_at <= now()");
            assertThat(run("alive").replayed()).isTrue();
            assertThat(run("new").replayed()).isFalse();
            Once impatient = once.withWaitLimit(Duration.ofMillis(20));
            assertThatThrownBy(() -> impatient.run("acme", "expired", REQUEST, tx -> Answer.of("")))
                    .isInstanceOf(InFlightException.class);
            cleaner.commit();
        }
        assertThat(run("expired").replayed()).isFalse();
    }

    @Test
    void cleanUpIsNotPartOfAUnitOfWorkAndHasALimit() {
        assertThatThrownBy(() -> rowlock.run(tx -> once.cleanUp(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("call it outside");
        assertThatThrownBy(() -> once.cleanUp(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> once.cleanUp(10_001)).hasMessageContaining("from 1 to 10000");
    }
}
