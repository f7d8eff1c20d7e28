package dev.rowlock.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.DatabaseTest;
import dev.rowlock.Isolation;
import dev.rowlock.Session;
import dev.rowlock.Table;
import dev.rowlock.Write;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Public reports of kind J: too little is run again, or too much. */
class RetryCasesTest extends DatabaseTest {
    private static final Table RECURRING = Table.of("recur", "id");
    private static final Table MAILS = Table.of("mailq", "id");
    private static final Table PAYMENTS = Table.of("payment", "id");

    private final List<String> provider = new ArrayList<>();
    private final AtomicInteger attempts = new AtomicInteger();

    RetryCasesTest() {
        super(
                "CREATE TABLE recur (id bigint PRIMARY KEY, status text NOT NULL)",
                "CREATE TABLE mailq (id bigserial PRIMARY KEY, recur_id bigint NOT NULL)",
                "CREATE TABLE payment (id bigint PRIMARY KEY, state text NOT NULL)",
                "INSERT INTO recur VALUES (1, 'active')",
                "INSERT INTO payment VALUES (1, 'draft')");
    }

    // C48
    @Test
    void statementRetriedAloneLosesTheFirstHalf() throws Exception {
        try (Session session = Session.open(database)) {
            session.run("UPDATE recur SET status = 'cancelled'");
            assertThat(session.fail("DO $$ BEGIN RAISE EXCEPTION SQLSTATE '40P01'; END $$"))
                    .isEqualTo("40P01");
            session.rollback(); // what MySQL has done by now of its own accord
            session.run("INSERT INTO mailq (recur_id) VALUES (1)");
            session.commit();
        }
        assertThat(cancelled()).isZero();
        assertThat(mails()).isEqualTo(1);
    }

    // C48
    @Test
    void statementRetriedInTheAbortedTransactionCommitsNothingAndSaysYes() throws Exception {
        try (Session session = Session.open(database)) {
            session.run("UPDATE recur SET status = 'cancelled'");
            session.fail("DO $$ BEGIN RAISE EXCEPTION SQLSTATE '40P01'; END $$");
            assertThat(session.fail("INSERT INTO mailq (recur_id) VALUES (1)")).isEqualTo("25P02");
            session.commit(); // no error: the server answers ROLLBACK and nobody looks
        }
        assertThat(cancelled()).isZero();
        assertThat(mails()).isZero();
    }

    // C48
    @Test
    void wholeFunctionIsRunAgainFromItsFirstStatement() throws SQLException {
        rowlock.run(tx -> {
            must(tx.update(RECURRING, 1).set("status", "cancelled").apply());
            if (attempts.incrementAndGet() == 1) {
                raise(tx, "40P01");
            }
            tx.insert(MAILS).set("recur_id", 1).apply();
        });

        assertThat(attempts).hasValue(2);
        assertThat(cancelled()).isEqualTo(1);
        assertThat(mails()).isEqualTo(1);
    }

    // C49
    @Test
    void chargeInsideTheRetriedFunctionIsMadeTwice() {
        rowlock.withIsolation(Isolation.REPEATABLE_READ).run(tx -> {
            tx.peek(PAYMENTS, 1);
            provider.add("charge");
            overtakeOnce();
            must(tx.update(PAYMENTS, 1).set("state", "done").apply());
        });

        assertThat(provider).containsExactly("charge", "charge");
    }

    // C49
    @Test
    void claimIsCommittedFirstAndTheChargeMadeAfterIt() {
        rowlock.withIsolation(Isolation.REPEATABLE_READ).run(tx -> {
            tx.peek(PAYMENTS, 1);
            overtakeOnce();
            must(tx.update(PAYMENTS, 1)
                    .set("state", "charging")
                    .onlyIf("state IN ('draft', 'authorized')")
                    .apply());
            tx.afterCommit(() -> provider.add("charge"));
        });

        assertThat(attempts).hasValue(2);
        assertThat(provider).containsExactly("charge");
        assertThat(claim()).isInstanceOf(Write.Refused.class);
        assertThat(provider).containsExactly("charge");
    }

    /** The same request once more. */
    private Write claim() {
        return rowlock.call(tx -> {
            Write claim = tx.update(PAYMENTS, 1)
                    .set("state", "charging")
                    .onlyIf("state IN ('draft', 'authorized')")
                    .apply();
            if (claim.isApplied()) {
                tx.afterCommit(() -> provider.add("charge"));
            }
            return claim;
        });
    }

    /** The provider's own message changes the row between our first look at it and our write. */
    private void overtakeOnce() {
        if (attempts.incrementAndGet() == 1) {
            database.sql("UPDATE payment SET state = 'authorized' WHERE id = 1");
        }
    }

    private long cancelled() {
        return database.number("SELECT count(*) FROM recur WHERE status = 'cancelled'");
    }

    private long mails() {
        return database.number("SELECT count(*) FROM mailq");
    }
}
