package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.rowlock.TcpProxy.AtCommit;
import dev.rowlock.once.Answer;
import dev.rowlock.once.Fingerprint;
import dev.rowlock.once.KeyReusedException;
import dev.rowlock.once.Once;
import dev.rowlock.once.OnceKey;
import dev.rowlock.once.OnceResult;
import dev.rowlock.once.OnceStatement;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an idempotency key costs, and what becomes of it when the line breaks. */
class OnceOnTheWireTest {
    private static final Table WALLETS = Table.of("wallet", "id");
    private static final Fingerprint CHARGE = Fingerprint.of("charge");
    private static final OnceKey KEY = new OnceKey("acme", "k");
    /** The word in the comment is what the proxy looks for. */
    private static final OnceStatement ONE_STATEMENT = OnceStatement.of("""
            UPDATE wallet /* commits by itself: COMMIT */
            SET balance = balance - ?
            WHERE id = 1 AND balance >= ?
            RETURNING 201 AS status, balance AS body""", 1L, 1L);

    private final AtomicInteger keys = new AtomicInteger();
    private final AtomicInteger runs = new AtomicInteger();
    private TestDatabase database;
    private TcpProxy proxy;
    private HikariDataSource pool;
    private Rowlock rowlock;
    private Once once;

    @BeforeEach
    void open() throws IOException {
        database = TestDatabase.create(
                "CREATE TABLE wallet (id bigint PRIMARY KEY, balance bigint NOT NULL)",
                "INSERT INTO wallet VALUES (1, 1000)");
        RowlockSchema.install(Rowlock.over(database.unpooled()));
        proxy = new TcpProxy(TestDatabase.port());
        HikariConfig config = new HikariConfig();
        config.setDataSource(proxy.inFrontOf(database));
        config.setMaximumPoolSize(1);
        // As in a busy pool: a connection that was just used is lent without being tested first.
        System.setProperty("com.zaxxer.hikari.aliveBypassWindowMs", "60000");
        pool = new HikariDataSource(config);
        rowlock = Rowlock.over(pool);
        once = Once.over(rowlock);
    }

    @AfterEach
    void close() throws IOException {
        pool.close();
        proxy.close();
        database.close();
        System.clearProperty("com.zaxxer.hikari.aliveBypassWindowMs");
    }

    private Answer charge(Tx tx) {
        runs.incrementAndGet();
        Write write = tx.update(WALLETS, 1)
                .add("balance", -1)
                .onlyIf("balance >= ?", 1)
                .apply();
        return Answer.of(201, Long.toString(write.orThrow().getLong("balance")));
    }

    private OnceKey next() {
        return new OnceKey("acme", "k-" + keys.incrementAndGet());
    }

    private long balance() {
        return database.number("SELECT balance FROM wallet");
    }

    /** Two without a key; see RoundTripTest. */
    @Test
    void guardedWriteWithAKeyIsThreeRoundTrips() {
        assertThat(roundTrips(() -> once.run(next(), CHARGE, this::charge))).isEqualTo(3);
    }

    /** One without a key. */
    @Test
    void guardedWriteWithAKeyInOneStatementIsOneRoundTrip() {
        assertThat(roundTrips(() -> once.run(next(), CHARGE, ONE_STATEMENT, this::charge)))
                .isEqualTo(1);
    }

    @Test
    void replayIsTwoRoundTrips() {
        assertThat(roundTrips(() -> once.run(KEY, CHARGE, this::charge))).isEqualTo(2);
    }

    /** The statement is tried, undone, and the answer looked up. */
    @Test
    void replayOfOneStatementIsTwoRoundTripsToo() {
        assertThat(roundTrips(() -> once.run(KEY, CHARGE, ONE_STATEMENT, this::charge)))
                .isEqualTo(2);
        assertThat(balance()).isEqualTo(999);
    }

    @Test
    void replayOfAKeyThatIsRememberedIsOneRoundTrip() {
        once = Once.builder(rowlock).remember(100).build();
        assertThat(roundTrips(() -> once.run(KEY, CHARGE, this::charge))).isEqualTo(1);
        assertThat(roundTrips(
                        () -> once.withWaitLimit(Duration.ofMillis(500)).run(KEY, CHARGE, ONE_STATEMENT, this::charge)))
                .isEqualTo(1);
        assertThat(balance()).isEqualTo(999);
    }

    @Test
    void keysAreForgottenWhenOthersTakeTheirPlaces() {
        once = Once.builder(rowlock).remember(1).build();
        once.run(KEY, CHARGE, this::charge);
        once.run(next(), CHARGE, this::charge);
        assertThat(once.run(KEY, CHARGE, this::charge).replayed()).isTrue();
        assertThat(runs).hasValue(2);
    }

    @Test
    void keyThatIsRememberedAndHasExpiredIsFreeAgain() {
        once = Once.builder(rowlock).remember(100).build();
        once.run(KEY, CHARGE, ONE_STATEMENT, this::charge);
        database.sql("UPDATE rowlock_once SET expires_at = now() - interval '1 second'");
        assertThat(once.run(KEY, CHARGE, ONE_STATEMENT, this::charge).replayed())
                .isFalse();
        database.sql("UPDATE rowlock_once SET expires_at = now() - interval '1 second'");
        assertThat(once.run(KEY, CHARGE, this::charge).replayed()).isFalse();
        assertThat(balance()).isEqualTo(997);
    }

    @Test
    void keyThatIsRememberedIsRefusedToAnotherRequest() {
        once = Once.builder(rowlock).remember(100).build();
        once.run(KEY, CHARGE, this::charge);
        assertThatThrownBy(() -> once.run(KEY, Fingerprint.of("refund"), this::charge))
                .isInstanceOf(KeyReusedException.class);
        assertThat(runs).hasValue(1);
    }

    @Test
    void otherWaitLimitCostsNothing() {
        Rowlock perTransaction =
                Rowlock.builder(pool).limitsPerTransaction(true).build();
        Once other = Once.over(perTransaction).withWaitLimit(Duration.ofMillis(500));
        assertThat(roundTrips(() -> other.run(next(), CHARGE, this::charge))).isEqualTo(3);
    }

    @Test
    void lostAnswerToTheCommitIsFoundOutAndReplayedAfterwards() {
        once.run(next(), CHARGE, this::charge);
        proxy.atCommit(AtCommit.CUT_AFTER);

        OnceResult first = once.run(KEY, CHARGE, this::charge);

        assertThat(first.replayed()).isFalse();
        assertThat(once.run(KEY, CHARGE, this::charge)).isEqualTo(new OnceResult(first.answer(), true));
        assertThat(balance()).isEqualTo(998);
        assertThat(runs).hasValue(2);
    }

    @Test
    void commitThatDoesNotArriveLeavesNothing() {
        once.run(next(), CHARGE, this::charge);
        proxy.atCommit(AtCommit.CUT_BEFORE);

        assertThatThrownBy(() -> once.run(KEY, CHARGE, this::charge)).isInstanceOf(ConnectionLostException.class);

        assertThat(balance()).isEqualTo(999);
        assertThat(once.run(KEY, CHARGE, this::charge).replayed()).isFalse();
        assertThat(balance()).isEqualTo(998);
    }

    @Test
    void lostAnswerToTheOneStatementIsLookedUpUnderTheKey() {
        once.run(next(), CHARGE, ONE_STATEMENT, this::charge);
        proxy.atCommit(AtCommit.CUT_AFTER);

        OnceResult result = once.run(KEY, CHARGE, ONE_STATEMENT, this::charge);

        assertThat(result).isEqualTo(new OnceResult(Answer.of(201, "998"), true));
        assertThat(balance()).isEqualTo(998);
        assertThat(runs).hasValue(0);
    }

    @Test
    void oneStatementThatDoesNotArriveIsSentAgain() {
        once.run(next(), CHARGE, ONE_STATEMENT, this::charge);
        proxy.atCommit(AtCommit.CUT_BEFORE);

        OnceResult result = once.run(KEY, CHARGE, ONE_STATEMENT, this::charge);

        assertThat(result).isEqualTo(new OnceResult(Answer.of(201, "998"), false));
        assertThat(balance()).isEqualTo(998);
    }

    /** Once to warm up, then the cost of each of ten more, which must all be the same; server-side prepared from the sixth on. */
    private int roundTrips(Runnable work) {
        work.run();
        int before = proxy.roundTrips();
        work.run();
        int one = proxy.roundTrips() - before;
        for (int i = 0; i < 9; i++) {
            work.run();
        }
        assertThat(proxy.roundTrips() - before).isEqualTo(10 * one);
        return one;
    }
}
