package dev.rowlock.once;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.DatabaseException;
import dev.rowlock.DatabaseTest;
import dev.rowlock.RowlockSchema;
import dev.rowlock.Threads;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OnceStatementTest extends DatabaseTest {
    private static final Fingerprint CHARGE = Fingerprint.of("charge");
    private static final OnceKey KEY = new OnceKey("acme", "k-1");
    private static final OnceStatement CHARGE_80 = charge(80).withHeader("Content-Type", "application/json");

    private final AtomicInteger refusals = new AtomicInteger();
    private Once once;

    OnceStatementTest() {
        super(
                "CREATE TABLE wallet (id bigint PRIMARY KEY, balance bigint NOT NULL)",
                "INSERT INTO wallet VALUES (1, 100), (2, 100)");
    }

    @BeforeEach
    void install() {
        RowlockSchema.install(rowlock);
        once = Once.over(rowlock);
    }

    private static OnceStatement charge(long amount) {
        return OnceStatement.of("""
                UPDATE wallet
                SET balance = balance - ?
                WHERE id = 1 AND balance >= ?
                RETURNING 201 AS status, json_build_object('left', balance) AS body -- é""", amount, amount);
    }

    private OnceResult run(OnceKey key, OnceStatement statement) {
        return once.run(key, CHARGE, statement, tx -> Answer.of(409, "refused " + refusals.incrementAndGet()));
    }

    private long balance() {
        return database.number("SELECT balance FROM wallet WHERE id = 1");
    }

    private long keys() {
        return database.number("SELECT count(*) FROM rowlock_once");
    }

    @Test
    void repeatIsAnsweredTheSame() {
        OnceResult first = run(KEY, CHARGE_80);

        assertThat(first.replayed()).isFalse();
        assertThat(first.answer())
                .isEqualTo(Answer.of(201, "{\"left\" : 20}").withHeader("Content-Type", "application/json"));
        assertThat(run(KEY, CHARGE_80)).isEqualTo(new OnceResult(first.answer(), true));
        assertThat(run(KEY, charge(5))).isEqualTo(new OnceResult(first.answer(), true));
        assertThat(balance()).isEqualTo(20);
    }

    @Test
    void otherRequestIsRefusedAndUndone() {
        run(KEY, charge(10));
        assertThatThrownBy(() -> once.run(KEY, Fingerprint.of("other"), charge(10), tx -> Answer.of("")))
                .isInstanceOf(KeyReusedException.class);
        assertThat(balance()).isEqualTo(90);
    }

    @Test
    void refusalIsKeptIfItIsAnAnswer() {
        OnceResult first = run(KEY, charge(500));

        assertThat(first).isEqualTo(new OnceResult(Answer.of(409, "refused 1"), false));
        assertThat(run(KEY, charge(500))).isEqualTo(new OnceResult(first.answer(), true));
    }

    @Test
    void refusalThatIsThrownFreesTheKey() {
        assertThatThrownBy(() -> once.run(KEY, CHARGE, charge(500), tx -> {
                    throw new IllegalStateException("not enough");
                }))
                .hasMessage("not enough");
        assertThat(keys()).isZero();
    }

    /** In one statement the key is taken although the guard fails, and every repeat is told that all was done. */
    @Test
    void brokenTwinThatTakesTheKeyFirstKeepsItWhenTheGuardFails() {
        String keyFirst = """
                WITH taken AS (
                    INSERT INTO rowlock_once (scope, key, fingerprint, status, headers, body, expires_at)
                    VALUES ('acme', 'k-1', '', 201, '', '', now() + interval '1 day')
                    ON CONFLICT DO NOTHING
                    RETURNING 1
                )
                UPDATE wallet
                SET balance = balance - 500
                WHERE id = 1 AND balance >= 500 AND EXISTS (SELECT FROM taken)
                RETURNING 201 AS status""";
        assertThat(rowlock.query(keyFirst)).isEmpty();
        assertThat(keys()).isEqualTo(1);

        database.sql("DELETE FROM rowlock_once");
        run(KEY, charge(500));
        assertThat(run(KEY, charge(500)).answer().status()).isEqualTo(409);
    }

    @Test
    void secondWaitsForTheRowAndIsAnsweredTheSame() {
        Threads.Both both = threads.secondWaits(
                database,
                meet -> rowlock.call(tx -> {
                    OnceResult result = run(KEY, CHARGE_80);
                    meet.run();
                    return result;
                }),
                meet -> run(KEY, CHARGE_80));

        assertThat(both.second()).isEqualTo(new OnceResult(((OnceResult) both.first()).answer(), true));
        assertThat(balance()).isEqualTo(20);
        assertThat(refusals).hasValue(0);
    }

    @Test
    void crowdChargesOnce() {
        assertThat(threads.crowd(8, () -> run(KEY, charge(10)).answer()))
                .hasSize(8)
                .containsOnly(Answer.of(201, "{\"left\" : 90}"));
        assertThat(balance()).isEqualTo(90);
    }

    @Test
    void expiredKeyIsTakenOver() {
        run(KEY, charge(10));
        database.sql("UPDATE rowlock_once SET expires_at = now() - interval '1 second'");
        assertThat(run(KEY, charge(10)).replayed()).isFalse();
        assertThat(balance()).isEqualTo(80);
    }

    @Test
    void insideAUnitOfWorkItIsPartOfThat() {
        assertThatThrownBy(() -> rowlock.run(tx -> {
                    assertThat(run(KEY, CHARGE_80).replayed()).isFalse();
                    assertThat(run(KEY, CHARGE_80).replayed()).isTrue();
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");
        assertThat(balance()).isEqualTo(100);
        assertThat(keys()).isZero();
    }

    @Test
    void answerThatIsTooLargeIsRefusedAndUndone() {
        once = Once.builder(rowlock).maxAnswerBytes(13).build();
        assertThat(run(KEY, charge(1)).answer().text()).hasSize(13); // {"left" : 99}
        assertThatThrownBy(
                        () -> run(
                                new OnceKey("acme", "k-2"),
                                OnceStatement.of(
                                        "UPDATE wallet SET balance = 0 WHERE id = 1 RETURNING 1 AS status, repeat('é', 7) AS body")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("14 bytes, the limit is 13");
        assertThat(balance()).isEqualTo(99);
    }

    @Test
    void statementMustReturnOneWholeAnswer() {
        for (String wrong : new String[] {
            "UPDATE wallet SET balance = 0 RETURNING 201 AS status, '' AS body",
            "UPDATE wallet SET balance = 0 WHERE id = 1 RETURNING NULL::int AS status, '' AS body",
            "UPDATE wallet SET balance = 0 WHERE id = 1 RETURNING 201 AS status, NULL AS body"
        }) {
            assertThatThrownBy(() -> run(KEY, OnceStatement.of(wrong)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("one row with a status and a body");
        }
        assertThatThrownBy(() -> run(KEY, OnceStatement.of("UPDATE wallet SET balance = 0 RETURNING 1 AS status")))
                .isInstanceOf(DatabaseException.class);
        assertThat(balance()).isEqualTo(100);
        assertThat(keys()).isZero();
    }
}
