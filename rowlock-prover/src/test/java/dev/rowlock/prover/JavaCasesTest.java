package dev.rowlock.prover;

import static dev.rowlock.prover.Violations.assertViolated;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.prover.engine.Verdict;
import dev.rowlock.prover.engine.Verdict.Anomaly;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Programs that are known to be broken must be found out, and what repairs each must be proved. */
class JavaCasesTest {
    private RaceDatabase database;
    private DataSource dataSource;

    @BeforeEach
    void open() {
        database = RaceDatabase.throwAway();
        dataSource = database.dataSource();
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void checkThenInsertLetsBothIn() {
        database.execute("CREATE TABLE member (email text NOT NULL)");

        assertViolated(Race.on(database).actor("A", () -> join("a@x")).actor("B", () -> join("a@x")), Anomaly.PHANTOM);
    }

    private boolean join(String email) throws SQLException {
        return Jdbc.inTransaction(dataSource, connection -> {
            if (Jdbc.number(connection, "SELECT count(*) FROM member WHERE email = ?", email) > 0) {
                return false;
            }
            return Jdbc.update(connection, "INSERT INTO member VALUES (?)", email) == 1;
        });
    }

    @Test
    void uniqueKeyLetsOneIn() {
        database.execute("CREATE TABLE member (email text PRIMARY KEY)");

        Race.on(database)
                .actor("A", () -> joinOnce("a@x"))
                .actor("B", () -> joinOnce("a@x"))
                .prove();
    }

    private boolean joinOnce(String email) throws SQLException {
        return Jdbc.inTransaction(
                dataSource,
                connection ->
                        Jdbc.update(connection, "INSERT INTO member VALUES (?) ON CONFLICT DO NOTHING", email) == 1);
    }

    private Race doctors(int isolation) {
        return Race.on(database)
                .given("INSERT INTO doctor VALUES ('alice', true), ('bob', true)")
                .actor("A", () -> leave("alice", isolation))
                .actor("B", () -> leave("bob", isolation))
                .invariant("somebody is on call", "SELECT count(*) > 0 FROM doctor WHERE on_call");
    }

    private boolean leave(String name, int isolation) throws SQLException {
        return Jdbc.inTransaction(dataSource, isolation, connection -> {
            if (Jdbc.number(connection, "SELECT count(*) FROM doctor WHERE on_call") < 2) {
                return false;
            }
            return Jdbc.update(connection, "UPDATE doctor SET on_call = false WHERE name = ?", name) == 1;
        });
    }

    @Test
    void writeSkewLeavesNobodyOnCall() {
        database.execute("CREATE TABLE doctor (name text PRIMARY KEY, on_call boolean NOT NULL)");

        assertViolated(doctors(Connection.TRANSACTION_REPEATABLE_READ), Anomaly.WRITE_SKEW);
    }

    @Test
    void serializableAbortsTheSkew() {
        database.execute("CREATE TABLE doctor (name text PRIMARY KEY, on_call boolean NOT NULL)");

        assertThat(doctors(Connection.TRANSACTION_SERIALIZABLE).explore())
                .satisfies(report -> assertThat(report.verdict()).isEqualTo(new Verdict.Proved()))
                .satisfies(report -> assertThat(report.aborted()).isPositive());
    }

    private Race transfers(boolean sorted) {
        database.execute(Wallets.TABLE);
        return Race.on(database)
                .given("INSERT INTO wallet VALUES (1, 100), (2, 100)")
                .actor("A", () -> transfer(1, 2, sorted))
                .actor("B", () -> transfer(2, 1, sorted));
    }

    private int transfer(int from, int to, boolean sorted) throws SQLException {
        return Jdbc.inTransaction(dataSource, connection -> {
            String lock = "SELECT balance FROM wallet WHERE id = ? FOR UPDATE";
            boolean swap = sorted && to < from;
            int first = Jdbc.number(connection, lock, swap ? to : from);
            int second = Jdbc.number(connection, lock, swap ? from : to);
            Jdbc.update(connection, "UPDATE wallet SET balance = balance - 10 WHERE id = ?", from);
            Jdbc.update(connection, "UPDATE wallet SET balance = balance + 10 WHERE id = ?", to);
            return first + second;
        });
    }

    @Test
    void locksInTheOrderOfTheArgumentsDeadlock() {
        assertViolated(transfers(false), Anomaly.DEADLOCK);
    }

    @Test
    void locksInKeyOrderDoNot() {
        transfers(true).prove();
    }

    private Race audited(boolean sameTransaction) {
        database.execute(Wallets.TABLE, "CREATE TABLE audit (text text NOT NULL)");
        return Race.on(database)
                .given("INSERT INTO wallet VALUES (1, 100)")
                .actor("A", () -> charge("a", sameTransaction))
                .actor("B", () -> charge("b", sameTransaction));
    }

    /** The audit's own connection commits whatever becomes of the charge. */
    private int charge(String who, boolean sameTransaction) throws SQLException {
        return Jdbc.inTransaction(dataSource, Connection.TRANSACTION_REPEATABLE_READ, connection -> {
            int balance = Jdbc.number(connection, "SELECT balance FROM wallet WHERE id = 1");
            if (sameTransaction) {
                audit(connection, who);
            } else {
                Jdbc.autoCommit(dataSource, other -> audit(other, who));
            }
            Jdbc.update(connection, "UPDATE wallet SET balance = ? WHERE id = 1", balance - 10);
            return balance - 10;
        });
    }

    private static int audit(Connection connection, String who) throws SQLException {
        return Jdbc.update(connection, "INSERT INTO audit VALUES (?)", who);
    }

    @Test
    void effectOnASecondConnectionOutlivesTheRollback() {
        assertViolated(audited(false), Anomaly.NON_SERIALIZABLE);
    }

    @Test
    void effectInTheTransactionGoesWithIt() {
        audited(true).prove();
    }

    /** Auto-commit was left on: the lock is gone before the row is written. */
    @Test
    void lockOfAnAutoCommittedStatementHoldsNothing() {
        database.execute(Wallets.TABLE);

        assertViolated(
                Race.on(database)
                        .given("INSERT INTO wallet VALUES (1, 100)")
                        .actor("A", this::chargeInAutoCommit)
                        .actor("B", this::chargeInAutoCommit),
                Anomaly.LOST_UPDATE);
    }

    private int chargeInAutoCommit() throws SQLException {
        return Jdbc.autoCommit(dataSource, connection -> {
            int balance = Jdbc.number(connection, "SELECT balance FROM wallet WHERE id = 1 FOR UPDATE");
            return Jdbc.update(connection, "UPDATE wallet SET balance = ? WHERE id = 1", balance - 10);
        });
    }

    private Race editors(boolean versioned) {
        database.execute("CREATE TABLE product (id int PRIMARY KEY, name text, price int, version int)");
        return Race.on(database)
                .given("INSERT INTO product VALUES (1, 'Cup', 100, 1)")
                .actor("A", () -> edit("Mug", null, versioned))
                .actor("B", () -> edit(null, 90, versioned));
    }

    /** Somebody else has edited it meanwhile. */
    private static final class Stale extends RuntimeException {}

    /** As a mapper does: loads the row, changes a member, writes all columns back. */
    private int edit(String name, Integer price, boolean versioned) throws SQLException {
        return Jdbc.inTransaction(dataSource, connection -> {
            String oldName;
            int oldPrice;
            int version;
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("SELECT name, price, version FROM product WHERE id = 1")) {
                row.next();
                oldName = row.getString(1);
                oldPrice = row.getInt(2);
                version = row.getInt(3);
            }
            int updated = Jdbc.update(
                    connection,
                    "UPDATE product SET name = ?, price = ?, version = version + 1 WHERE id = 1"
                            + (versioned ? " AND version = " + version : ""),
                    name == null ? oldName : name,
                    price == null ? oldPrice : price);
            if (updated == 0) {
                throw new Stale();
            }
            return updated;
        });
    }

    @Test
    void updateOfAllColumnsTakesTheOtherEditBack() {
        assertViolated(editors(false), Anomaly.LOST_UPDATE);
    }

    /** The second editor is told to begin anew, and has changed nothing. */
    @Test
    void versionRefusesTheSecondEdit() {
        editors(true).abortedBy(Stale.class).prove();
    }

    @Test
    void refusalIsAnAnswerUnlessItIsSaidToBeAnAbort() {
        assertViolated(editors(true), Anomaly.UNEXPECTED_ERROR);
    }
}
