package dev.rowlock.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.DatabaseTest;
import dev.rowlock.Isolation;
import dev.rowlock.RowlockSchema;
import dev.rowlock.Session;
import dev.rowlock.Table;
import dev.rowlock.Threads;
import dev.rowlock.Tx;
import dev.rowlock.once.Answer;
import dev.rowlock.once.Fingerprint;
import dev.rowlock.once.Once;
import dev.rowlock.once.OnceKey;
import dev.rowlock.once.OnceResult;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Public reports of kind G: the same request comes twice. And one of kind J as far as a key can help. */
class OnceCasesTest extends DatabaseTest {
    private static final Table CHARGES = Table.of("charge", "id");
    private static final Table PAYMENTS = Table.of("payment", "id");
    private static final Fingerprint REQUEST = Fingerprint.of("charge 10");
    private static final OnceKey KEY = new OnceKey("acct-1", "k");

    private final List<String> provider = new ArrayList<>();
    private Once once;
    private int attempts;

    OnceCasesTest() {
        super(
                "CREATE TABLE idem (acct bigint, k text, charge_id bigint, PRIMARY KEY (acct, k))",
                "CREATE TABLE charge (id bigserial PRIMARY KEY, amt bigint NOT NULL)",
                "CREATE TABLE enr (id bigserial PRIMARY KEY, u bigint, c bigint, UNIQUE (u, c))",
                "CREATE TABLE payment (id bigint PRIMARY KEY, state text NOT NULL)",
                "INSERT INTO payment VALUES (1, 'draft')");
    }

    @BeforeEach
    void install() {
        RowlockSchema.install(rowlock);
        once = Once.over(rowlock);
    }

    private static Answer charge(Tx tx) {
        return Answer.of(
                201, "charge " + tx.insert(CHARGES).set("amt", 10).apply().getLong("id"));
    }

    private long charges() {
        return database.number("SELECT count(*) FROM charge");
    }

    // C36
    @Test
    void keyThatIsLookedForFirstEndsInAnErrorThatNobodyExpects() throws SQLException {
        try (Session a = Session.open(database);
                Session b = Session.open(database)) {
            String look = "SELECT count(*) FROM idem WHERE acct = 1 AND k = 'k'";
            assertThat(a.read(look)).isZero();
            assertThat(b.read(look)).isZero();
            a.run("INSERT INTO charge (amt) VALUES (10)");
            b.run("INSERT INTO charge (amt) VALUES (10)");
            a.run("INSERT INTO idem VALUES (1, 'k', 1)");
            Session.Step late = b.begin("INSERT INTO idem VALUES (1, 'k', 2)");
            database.awaitBlocked(1);
            a.commit();
            assertThat(late.failure()).isEqualTo("23505");
        }
    }

    // C36
    @Test
    void secondChargeWithTheKeyWaitsAndIsAnsweredAsTheFirst() {
        Threads.Both both = threads.secondWaits(
                database,
                meet -> once.run(KEY, REQUEST, tx -> {
                    Answer answer = charge(tx);
                    meet.run();
                    return answer;
                }));

        assertThat(both)
                .isEqualTo(new Threads.Both(
                        new OnceResult(Answer.of(201, "charge 1"), false),
                        new OnceResult(Answer.of(201, "charge 1"), true)));
        assertThat(charges()).isEqualTo(1);
    }

    // C36
    @Test
    void secondChargeWithTheKeyIsMadeIfTheFirstIsRolledBack() {
        Threads.Both both = threads.secondWaits(
                database,
                meet -> once.run(KEY, REQUEST, tx -> {
                    charge(tx);
                    meet.run();
                    throw new IllegalStateException("card declined");
                }),
                meet -> once.run(KEY, REQUEST, OnceCasesTest::charge));

        assertThat(both.first()).isInstanceOf(IllegalStateException.class);
        assertThat(((OnceResult) both.second()).replayed()).isFalse();
        assertThat(charges()).isEqualTo(1);
    }

    // C37
    @Test
    void rowOfTheOtherIsNotSeenInTheOldSnapshot() throws SQLException {
        try (Session a = Session.open(database);
                Session b = Session.openRepeatableRead(database)) {
            String look = "SELECT count(*) FROM enr WHERE u = 1 AND c = 2";
            assertThat(b.read(look)).isZero();
            a.run("INSERT INTO enr (u, c) VALUES (1, 2)");
            a.commit();
            b.run("SAVEPOINT s");
            assertThat(b.fail("INSERT INTO enr (u, c) VALUES (1, 2)")).isEqualTo("23505");
            b.run("ROLLBACK TO s");
            assertThat(b.read(look)).isZero();
            assertThat(b.fail("INSERT INTO enr (u, c) VALUES (1, 2) ON CONFLICT DO NOTHING"))
                    .isEqualTo("40001");
        }
    }

    // C37
    @Test
    void bothEndWithTheSameRowAtEveryLevel() {
        for (Isolation level : Isolation.values()) {
            OnceKey key = new OnceKey("enrolments of 1", level.name());
            Threads.Both both = threads.secondWaits(
                    database,
                    meet -> rowlock.withIsolation(level).call(tx -> {
                        tx.query("SELECT FROM enr"); // the snapshot is older than the other's commit
                        return once(level).run(key, REQUEST, inner -> {
                            Answer answer = enrol(inner, level);
                            meet.run();
                            return answer;
                        });
                    }));

            OnceResult first = (OnceResult) both.first();
            assertThat(both.second()).isEqualTo(new OnceResult(first.answer(), true));
        }
        assertThat(database.number("SELECT count(*) FROM enr")).isEqualTo(Isolation.values().length);
    }

    private Once once(Isolation level) {
        return Once.over(rowlock.withIsolation(level));
    }

    private static Answer enrol(Tx tx, Isolation level) {
        return Answer.of("enrolment "
                + tx.query(
                                "INSERT INTO enr (u, c) VALUES (1, ?) RETURNING id",
                                level.name().length())
                        .get(0)
                        .getLong("id"));
    }

    // C49
    @Test
    void cardIsChargedOnceHoweverOftenTheRequestIsRunAndSent() {
        for (int sent = 0; sent < 3; sent++) {
            once(Isolation.REPEATABLE_READ).run(KEY, REQUEST, tx -> {
                tx.peek(PAYMENTS, 1);
                overtakeOnce();
                must(tx.update(PAYMENTS, 1).set("state", "charging").apply());
                tx.afterCommit(() -> provider.add("charge"));
                return Answer.of(202, "charging");
            });
        }
        assertThat(attempts).isEqualTo(2);
        assertThat(provider).containsExactly("charge");
    }

    /** The provider's own message changes the row between our first look at it and our write. */
    private void overtakeOnce() {
        attempts++;
        if (attempts == 1) {
            database.sql("UPDATE payment SET state = 'authorized' WHERE id = 1");
        }
    }
}
