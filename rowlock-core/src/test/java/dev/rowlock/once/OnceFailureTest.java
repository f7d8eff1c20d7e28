package dev.rowlock.once;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.ConnectionLostException;
import dev.rowlock.DatabaseTest;
import dev.rowlock.RowlockSchema;
import dev.rowlock.Table;
import dev.rowlock.Threads;
import dev.rowlock.Tx;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whatever ends a request early leaves nothing of it, unless it says what to keep. */
class OnceFailureTest extends DatabaseTest {
    private static final Table WALLETS = Table.of("wallet", "id");
    private static final Fingerprint CHARGE = Fingerprint.of("charge");
    private static final OnceKey KEY = new OnceKey("acme", "k-1");

    private final AtomicInteger runs = new AtomicInteger();
    private Once once;

    OnceFailureTest() {
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
        must(tx.update(WALLETS, 1).add("balance", -80).apply());
        return Answer.of("charged");
    }

    private long balance() {
        return database.number("SELECT balance FROM wallet");
    }

    private long keys() {
        return database.number("SELECT count(*) FROM rowlock_once");
    }

    private static long pid(Tx tx) {
        return tx.query("SELECT pg_backend_pid() AS pid").get(0).getLong("pid");
    }

    private void kill(long pid) {
        database.sql("SELECT pg_terminate_backend(" + pid + ")");
        database.awaitEnded(pid);
    }

    @Test
    void crashBeforeTheEffectLeavesNothing() {
        assertThatThrownBy(() -> once.run(KEY, CHARGE, tx -> {
                    kill(pid(tx));
                    return charge(tx);
                }))
                .isInstanceOf(ConnectionLostException.class);
        assertNothingThenAll();
    }

    @Test
    void crashAfterTheEffectLeavesNothing() {
        assertThatThrownBy(() -> once.run(KEY, CHARGE, tx -> {
                    long pid = pid(tx);
                    Answer answer = charge(tx);
                    kill(pid);
                    return answer;
                }))
                .isInstanceOf(ConnectionLostException.class);
        assertNothingThenAll();
    }

    private void assertNothingThenAll() {
        assertThat(keys()).isZero();
        assertThat(balance()).isEqualTo(200);
        assertThat(once.run(KEY, CHARGE, this::charge).replayed()).isFalse();
        assertThat(balance()).isEqualTo(120);
    }

    @Test
    void conflictRunsTheWholeAgain() {
        OnceResult result = once.run(KEY, CHARGE, tx -> {
            Answer answer = charge(tx);
            if (runs.get() == 1) {
                tx.query("DO $$ BEGIN RAISE EXCEPTION SQLSTATE '40001'; END $$");
            }
            return answer;
        });

        assertThat(result.replayed()).isFalse();
        assertThat(runs).hasValue(2);
        assertThat(balance()).isEqualTo(120);
    }

    @Test
    void answerThatIsTooLargeIsRefusedAndTheEffectUndone() {
        Once small = Once.builder(rowlock).maxAnswerBytes(20).build();
        assertThat(small.run(
                                "acme",
                                "fits",
                                CHARGE,
                                tx -> Answer.of(200, new byte[14]).withHeader("A", "b"))
                        .replayed())
                .isFalse();
        assertThatThrownBy(() -> small.run(KEY, CHARGE, tx -> {
                    charge(tx);
                    return Answer.of(200, new byte[15]).withHeader("A", "bc");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("21 bytes, the limit is 20");
        assertThat(balance()).isEqualTo(200);
    }

    @Test
    void refusalIsKeptAndTheEffectUndone() {
        OnceResult refused = once.run(KEY, CHARGE, tx -> {
            charge(tx);
            throw new OnceRefusal(Answer.of(409, "no"));
        });

        assertThat(refused).isEqualTo(new OnceResult(Answer.of(409, "no"), false));
        assertThat(once.run(KEY, CHARGE, this::charge)).isEqualTo(new OnceResult(refused.answer(), true));
        assertThat(balance()).isEqualTo(200);
    }

    /** The key is free between the rollback and the refusal's own transaction. */
    @Test
    void whoeverTakesTheKeyOfARefusalMeanwhileMakesTheAnswer() {
        Threads.Both both = threads.secondWaits(
                database,
                meet -> once.run(KEY, CHARGE, tx -> {
                    meet.run();
                    throw new OnceRefusal(Answer.of(409, "no"));
                }),
                meet -> once.run(KEY, CHARGE, this::charge));

        OnceResult first = (OnceResult) both.first();
        OnceResult second = (OnceResult) both.second();
        assertThat(first.answer()).isEqualTo(second.answer());
        assertThat(first.replayed()).isNotEqualTo(second.replayed());
    }

    @Test
    void refusalInAUnitOfWorkThatWasJoinedUndoesAllOfThat() {
        assertThatThrownBy(() -> rowlock.run(tx -> {
                    must(tx.update(WALLETS, 1).set("balance", 1).apply());
                    once.run(KEY, CHARGE, inner -> {
                        throw new OnceRefusal(Answer.of(409, "no"));
                    });
                }))
                .isInstanceOf(OnceRefusal.class);
        assertThat(balance()).isEqualTo(200);
        assertThat(keys()).isZero();
    }

    @Test
    void keyOfAUnitOfWorkThatWasJoinedSharesItsFate() {
        assertThatThrownBy(() -> rowlock.run(tx -> {
                    once.run(KEY, CHARGE, this::charge);
                    throw new IllegalStateException("later");
                }))
                .hasMessage("later");
        assertThat(keys()).isZero();

        OnceResult result = rowlock.call(tx -> {
            OnceResult made = once.run(KEY, CHARGE, this::charge);
            assertThat(once.run(KEY, CHARGE, this::charge)).isEqualTo(new OnceResult(made.answer(), true));
            return made;
        });
        assertThat(once.run(KEY, CHARGE, this::charge)).isEqualTo(new OnceResult(result.answer(), true));
        assertThat(balance()).isEqualTo(120);
    }

    @Test
    void keyUsedInsideItselfIsAMistake() {
        assertThatThrownBy(() -> once.run(
                        KEY, CHARGE, tx -> once.run(KEY, CHARGE, this::charge).answer()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("inside the function that is to make its answer");
        assertThat(keys()).isZero();
    }

    @Test
    void workAfterTheCommitIsDoneOnce() {
        AtomicInteger mails = new AtomicInteger();
        for (int i = 0; i < 2; i++) {
            once.run(KEY, CHARGE, tx -> {
                tx.afterCommit(mails::incrementAndGet);
                return charge(tx);
            });
        }
        assertThat(mails).hasValue(1);
    }

    private static final String PUT_KEY = """
            INSERT INTO rowlock_once
            VALUES ('acme', 'k-1', decode('%s', 'hex'), 200, '', 'charged', now(), now() + interval '1 day')""".formatted(CHARGE);

    /** A crash in between, and every repeat is told of a charge that nobody made. */
    @Test
    void brokenTwinThatCommitsTheKeyBeforeTheEffect() {
        database.sql(PUT_KEY);

        assertThat(once.run(KEY, CHARGE, this::charge).replayed()).isTrue();
        assertThat(balance()).isEqualTo(200);
    }

    /** A crash in between, and the repeat charges again. */
    @Test
    void brokenTwinThatCommitsTheKeyAfterTheEffect() {
        rowlock.run(this::charge);

        assertThat(once.run(KEY, CHARGE, this::charge).replayed()).isFalse();
        assertThat(balance()).isEqualTo(40);
    }
}
