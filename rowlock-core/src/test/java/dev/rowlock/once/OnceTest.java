package dev.rowlock.once;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.rowlock.DatabaseTest;
import dev.rowlock.Isolation;
import dev.rowlock.RowlockSchema;
import dev.rowlock.Table;
import dev.rowlock.Threads;
import dev.rowlock.Tx;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OnceTest extends DatabaseTest {
    private static final Table WALLETS = Table.of("wallet", "id");
    private static final Fingerprint CHARGE_80 = Fingerprint.of("charge 80");
    private static final OnceKey KEY = new OnceKey("acme", "k-1");

    private final AtomicInteger runs = new AtomicInteger();
    private Once once;

    OnceTest() {
        super(
                "CREATE TABLE wallet (id bigint PRIMARY KEY, balance bigint NOT NULL)",
                "INSERT INTO wallet VALUES (1, 200)");
    }

    @BeforeEach
    void install() {
        RowlockSchema.install(rowlock);
        once = Once.over(rowlock);
    }

    private Answer charge(Tx tx) {
        runs.incrementAndGet();
        long left = tx.update(WALLETS, 1)
                .add("balance", -80)
                .onlyIf("balance >= ?", 80)
                .apply()
                .orThrow()
                .getLong("balance");
        return Answer.of(201, "left: " + left).withHeader("Location", "/charges/" + runs.get());
    }

    private long balance() {
        return database.number("SELECT balance FROM wallet");
    }

    private long keys() {
        return database.number("SELECT count(*) FROM rowlock_once");
    }

    @Test
    void repeatIsAnsweredTheSameAndDoesNothing() {
        OnceResult first = once.run(KEY, CHARGE_80, this::charge);
        OnceResult second = once.run(KEY, CHARGE_80, this::charge);

        assertThat(first.replayed()).isFalse();
        assertThat(second.replayed()).isTrue();
        assertThat(second.answer()).isEqualTo(first.answer());
        assertThat(second.answer().text()).isEqualTo("left: 120");
        assertThat(second.answer().headers()).containsEntry("Location", "/charges/1");
        assertThat(balance()).isEqualTo(120);
    }

    @Test
    void bodyIsKeptByteForByte() {
        byte[] all = new byte[256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        once.run(KEY, CHARGE_80, tx -> Answer.of(-1, all));

        Answer again = once.run(KEY, CHARGE_80, this::charge).answer();
        assertThat(again.body()).isEqualTo(all);
        assertThat(again.status()).isEqualTo(-1);
        assertThat(again.headers()).isEmpty();
    }

    @Test
    void otherRequestWithTheKeyIsRefused() {
        once.run(KEY, CHARGE_80, this::charge);

        assertThat(catchThrowableOfType(
                                KeyReusedException.class,
                                () -> once.run(KEY, Fingerprint.of("charge 90"), this::charge))
                        .key())
                .isEqualTo(KEY);
        assertThat(balance()).isEqualTo(120);
    }

    @Test
    void keysOfTwoScopesAreTwo() {
        once.run("acme", "k-1", CHARGE_80, this::charge);
        assertThat(once.run("other", "k-1", CHARGE_80, this::charge).replayed()).isFalse();
        assertThat(balance()).isEqualTo(40);
    }

    @Test
    void failureFreesTheKey() {
        assertThatThrownBy(() -> once.run(KEY, CHARGE_80, tx -> {
                    charge(tx);
                    throw new IllegalStateException("printer on fire");
                }))
                .hasMessage("printer on fire");
        assertThat(keys()).isZero();

        assertThat(once.run(KEY, CHARGE_80, this::charge).replayed()).isFalse();
        assertThat(balance()).isEqualTo(120);
    }

    @Test
    void secondWaitsForTheFirstAndIsAnsweredTheSame() {
        for (Isolation level : Isolation.values()) {
            Once at = Once.over(rowlock.withIsolation(level));
            OnceKey key = new OnceKey("acme", level.name());
            Threads.Both both = threads.secondWaits(
                    database,
                    meet -> at.run(key, CHARGE_80, tx -> {
                        meet.run();
                        return Answer.of("done by " + runs.incrementAndGet());
                    }));

            OnceResult first = (OnceResult) both.first();
            assertThat(first.replayed()).isFalse();
            assertThat(both.second()).isEqualTo(new OnceResult(first.answer(), true));
        }
        assertThat(runs).hasValue(Isolation.values().length);
    }

    @Test
    void secondHasTheKeyIfTheFirstFails() {
        for (Isolation level : Isolation.values()) {
            Once at = Once.over(rowlock.withIsolation(level));
            OnceKey key = new OnceKey("acme", level.name());
            Threads.Both both = threads.secondWaits(
                    database,
                    meet -> at.run(key, CHARGE_80, tx -> {
                        meet.run();
                        throw new IllegalStateException("first failed");
                    }),
                    meet -> at.run(key, CHARGE_80, tx -> Answer.of("second")));

            assertThat(both.first()).isInstanceOf(IllegalStateException.class);
            assertThat(both.second()).isEqualTo(new OnceResult(Answer.of("second"), false));
        }
    }

    @Test
    void otherRequestInFlightIsToldApartAtItsEnd() {
        Threads.Both both = threads.secondWaits(
                database,
                meet -> once.run(KEY, CHARGE_80, tx -> {
                    meet.run();
                    return charge(tx);
                }),
                meet -> once.run(KEY, Fingerprint.of("charge 90"), this::charge));

        assertThat(both.second()).isInstanceOf(KeyReusedException.class);
        assertThat(balance()).isEqualTo(120);
    }

    @Test
    void waitEndsAtTheLimitAndNothingIsDone() {
        Once impatient = once.withWaitLimit(Duration.ofMillis(20));
        Threads.Both both = threads.secondPasses(
                meet -> once.run(KEY, CHARGE_80, tx -> {
                    meet.run();
                    return charge(tx);
                }),
                meet -> impatient.run(KEY, CHARGE_80, this::charge));

        assertThat(both.second()).isInstanceOfSatisfying(InFlightException.class, inFlight -> {
            assertThat(inFlight.key()).isEqualTo(KEY);
            assertThat(inFlight.retryAfter()).isEqualTo(Duration.ofSeconds(1));
        });
        assertThat(runs).hasValue(1);
    }
}
