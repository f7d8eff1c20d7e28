package dev.rowlock.proofs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.Isolation;
import dev.rowlock.Rowlock;
import dev.rowlock.RowlockSchema;
import dev.rowlock.Table;
import dev.rowlock.Tx;
import dev.rowlock.TxFunction;
import dev.rowlock.once.Answer;
import dev.rowlock.once.Fingerprint;
import dev.rowlock.once.Once;
import dev.rowlock.once.OnceKey;
import dev.rowlock.once.OnceRefusal;
import dev.rowlock.once.OnceResult;
import dev.rowlock.once.OnceStatement;
import dev.rowlock.prover.Race;
import dev.rowlock.prover.RaceDatabase;
import dev.rowlock.prover.engine.Report;
import dev.rowlock.prover.engine.Verdict;
import dev.rowlock.prover.junit.RaceExtension;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A key is used once in all orders of the requests that bring it, beside the ways in which it is used twice, or for nothing. */
@ExtendWith(RaceExtension.class)
class OnceProofsTest {
    private static final Table WALLETS = Table.of("wallet", "id");
    private static final OnceKey KEY = new OnceKey("acme", "k");
    private static final String EXPIRED_KEY =
            "INSERT INTO rowlock_once VALUES ('acme', 'k', '', 200, '', '', now() - interval '2 days', now() - interval '1 day')";

    private static final String PUT_KEY =
            "INSERT INTO rowlock_once VALUES ('acme', 'k', '', 200, '', '', now(), now() + interval '1 day')"
                    + " ON CONFLICT DO NOTHING";

    private RaceDatabase database;
    private Rowlock rowlock;

    @BeforeEach
    void open(RaceDatabase given) {
        database = given.execute("CREATE TABLE wallet (id bigint PRIMARY KEY, balance bigint NOT NULL)");
        rowlock = Rowlock.over(database.dataSource());
        RowlockSchema.install(rowlock);
    }

    private Race race() {
        return Race.on(database)
                .given("INSERT INTO wallet VALUES (1, 200)")
                .ignoring("rowlock_once.created_at", "rowlock_once.expires_at")
                .invariant("charged at most once", "SELECT min(balance) >= 140 FROM wallet")
                .invariant(
                        "no key without an answer, and none in vain",
                        "SELECT count(*) = count(status) FROM rowlock_once");
    }

    private static void prove(Race race) {
        Report report = race.explore();
        // Each of the actors comes first in one of them: none is left out because of a level that is set in the same
        // message.
        assertThat(report.outcomes()).hasSizeGreaterThan(1);
        assertThat(report.verdict()).isEqualTo(new Verdict.Proved());
    }

    private static Answer charge(Tx tx) {
        return Answer.of("left "
                + tx.update(WALLETS, 1L)
                        .add("balance", -60)
                        .onlyIf("balance >= ?", 60)
                        .apply()
                        .orThrow()
                        .getLong("balance"));
    }

    private Callable<String> request(Isolation level, String what, TxFunction<Answer, RuntimeException> work) {
        Once once = Once.over(rowlock.withIsolation(level));
        return () -> told(once.run(KEY, Fingerprint.of(what), work));
    }

    private Callable<String> charge(Isolation level) {
        return request(level, "charge", OnceProofsTest::charge);
    }

    private static String told(OnceResult result) {
        return result.answer().text() + (result.replayed() ? " again" : "");
    }

    @ParameterizedTest
    @EnumSource
    void twoRequestsWithOneKey(Isolation level) {
        prove(race().actor("A", charge(level)).actor("B", charge(level)));
    }

    @Tag("deep")
    @ParameterizedTest
    @EnumSource(names = {"READ_COMMITTED", "REPEATABLE_READ"})
    void threeRequestsWithOneKey(Isolation level) {
        prove(race().actor("A", charge(level)).actor("B", charge(level)).actor("C", charge(level)));
    }

    @ParameterizedTest
    @EnumSource
    void anotherRequestWithTheKey(Isolation level) {
        prove(race().actor("A", charge(level)).actor("B", request(level, "other", OnceProofsTest::charge)));
    }

    @ParameterizedTest
    @EnumSource
    void requestThatFailsAfterItsEffect(Isolation level) {
        prove(race().actor("A", request(level, "charge", tx -> {
                    charge(tx);
                    throw new IllegalStateException("failed");
                }))
                .actor("B", charge(level)));
    }

    @ParameterizedTest
    @EnumSource
    void requestsThatAreRefusedForGood(Isolation level) {
        TxFunction<Answer, RuntimeException> refuse = tx -> {
            charge(tx);
            throw new OnceRefusal(Answer.of("refused"));
        };
        prove(race().actor("A", request(level, "charge", refuse)).actor("B", request(level, "charge", refuse)));
    }

    @ParameterizedTest
    @EnumSource
    void takeoverOfAnExpiredKey(Isolation level) {
        prove(race().given(EXPIRED_KEY).actor("A", charge(level)).actor("B", charge(level)));
    }

    @ParameterizedTest
    @EnumSource
    void requestAndCleanUp(Isolation level) {
        prove(race().given(EXPIRED_KEY)
                .actor("A", charge(level))
                .actor("B", () -> Once.over(rowlock).cleanUp(10)));
    }

    private Callable<String> oneStatement(Isolation level) {
        Once once = Once.over(rowlock.withIsolation(level));
        OnceStatement statement = OnceStatement.of("""
                UPDATE wallet
                SET balance = balance - 60
                WHERE id = 1 AND balance >= 150
                RETURNING 200 AS status, 'left ' || balance AS body""");
        return () -> told(once.run(KEY, Fingerprint.of("charge"), statement, tx -> Answer.of("refused")));
    }

    /** The second one finds the guard broken by the first, which is no refusal. */
    @ParameterizedTest
    @EnumSource
    void oneStatementTwice(Isolation level) {
        prove(race().actor("A", oneStatement(level)).actor("B", oneStatement(level)));
    }

    @Test
    void oneStatementThreeTimes() {
        Isolation level = Isolation.READ_COMMITTED;
        prove(race().actor("A", oneStatement(level))
                .actor("B", oneStatement(level))
                .actor("C", oneStatement(level)));
    }

    @ParameterizedTest
    @EnumSource
    void oneStatementAndSteps(Isolation level) {
        prove(race().actor("A", oneStatement(level)).actor("B", charge(level)));
    }

    @ParameterizedTest
    @EnumSource
    void oneStatementAndAnotherRequestWithTheKey(Isolation level) {
        prove(race().actor("A", oneStatement(level)).actor("B", request(level, "other", OnceProofsTest::charge)));
    }

    @Tag("deep")
    @ParameterizedTest
    @EnumSource
    void oneStatementAndCleanUp(Isolation level) {
        prove(race().given(EXPIRED_KEY)
                .actor("A", oneStatement(level))
                .actor("B", () -> Once.over(rowlock).cleanUp(10)));
    }

    @Tag("deep")
    @Test
    void twoRequestsAndCleanUp() {
        Isolation level = Isolation.READ_COMMITTED;
        prove(race().given(EXPIRED_KEY)
                .actor("A", charge(level))
                .actor("B", charge(level))
                .actor("C", () -> Once.over(rowlock).cleanUp(10)));
    }

    private String lookThenCharge() throws SQLException {
        return rowlock.withMaxAttempts(1).<String, SQLException>call(tx -> {
            if (Broken.number(tx.connection(), "SELECT count(*) FROM rowlock_once WHERE status = ?", 200) > 0) {
                return "again";
            }
            String text = charge(tx).text();
            if (tx.execute(PUT_KEY) > 1) {
                throw new IllegalStateException("two keys");
            }
            return text;
        });
    }

    @Test
    void keyThatIsLookedForAndPutAfterwards() {
        assertThat(race().actor("A", () -> lookThenCharge())
                        .actor("B", () -> lookThenCharge())
                        .explore()
                        .verdict())
                .isInstanceOfSatisfying(
                        Verdict.Violated.class,
                        violated -> assertThat(violated.anomaly()).isEqualTo(Verdict.Anomaly.PHANTOM));
    }
}
