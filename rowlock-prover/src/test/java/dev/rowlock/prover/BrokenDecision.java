package dev.rowlock.prover;

import static dev.rowlock.prover.Jdbc.autoCommit;
import static dev.rowlock.prover.Jdbc.find;
import static dev.rowlock.prover.Jdbc.inTransaction;
import static dev.rowlock.prover.Jdbc.number;
import static dev.rowlock.prover.Jdbc.update;
import static java.sql.Connection.TRANSACTION_READ_COMMITTED;
import static java.sql.Connection.TRANSACTION_REPEATABLE_READ;
import static java.sql.Connection.TRANSACTION_SERIALIZABLE;

import dev.rowlock.prover.engine.Verdict.Anomaly;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalInt;

/** Decisions on more rows than the one that is written: some that come, go, or are skipped. */
@SuppressWarnings("ImmutableEnumChecker")
enum BrokenDecision implements BrokenProgram {
    /** The locking query waits and then returns the payments that it had known of: the one it waited for is not among them. */
    COUNT_OF_THE_ROWS_THAT_WERE_LOCKED(
            Anomaly.NON_SERIALIZABLE,
            (database, who) -> inTransaction(
                    database,
                    connection -> payUpToTwice(
                            connection,
                            "SELECT count(*) FROM (SELECT number FROM payment WHERE payer = 1 FOR UPDATE) AS locked")),
            (database, who) -> inTransaction(database, connection -> {
                BrokenProgram.lockedBalance(connection);
                return payUpToTwice(connection, "SELECT count(*) FROM payment WHERE payer = 1");
            })),

    /** Both find the same highest number. */
    NUMBER_AFTER_THE_HIGHEST(
            Anomaly.PHANTOM,
            (database, who) -> inTransaction(database, connection -> {
                int number = number(connection, "SELECT max(number) + 1 FROM payment");
                update(connection, "INSERT INTO payment VALUES (?, ?)", number, who);
                return number;
            }),
            (database, who) -> inTransaction(database, connection -> {
                int number = number(connection, "UPDATE product SET stock = stock + 1 WHERE id = 7 RETURNING stock");
                update(connection, "INSERT INTO payment VALUES (?, ?)", number, who);
                return number;
            })),

    /** Neither finds the player; the second one's insert does, does nothing, and its point is lost. */
    INSERT_BECAUSE_NOTHING_WAS_FOUND(
            Anomaly.PHANTOM,
            (database, who) -> inTransaction(database, connection -> {
                boolean found = find(connection, "SELECT points FROM player WHERE id = 1")
                        .isPresent();
                update(
                        connection,
                        found
                                ? "UPDATE player SET points = points + 1 WHERE id = 1"
                                : "INSERT INTO player VALUES (1, 1) ON CONFLICT DO NOTHING");
                return "counted";
            }),
            (database, who) -> inTransaction(database, connection -> {
                update(
                        connection,
                        "INSERT INTO player VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET points = player.points + 1");
                return "counted";
            })),

    /** The insert waits for the other's and does nothing; the query beside it has the snapshot from before and finds nothing. */
    FIND_OR_CREATE_IN_ONE_STATEMENT(
            Anomaly.NON_SERIALIZABLE,
            (database, who) ->
                    inTransaction(database, connection -> find(connection, """
                    WITH made AS (
                      INSERT INTO tag (name) VALUES ('new') ON CONFLICT DO NOTHING RETURNING id
                    )
                    SELECT id FROM made
                    UNION ALL
                    SELECT id FROM tag WHERE name = 'new'""").isPresent()),
            (database, who) -> inTransaction(database, connection -> {
                update(connection, "INSERT INTO tag (name) VALUES ('new') ON CONFLICT DO NOTHING");
                return find(connection, "SELECT id FROM tag WHERE name = 'new'").isPresent();
            })),

    /** The second one's delete waits, and then does not see the rows that the first has put in their place. */
    DELETE_AND_INSERT_ANEW(
            Anomaly.NON_SERIALIZABLE,
            (database, who) -> inTransaction(database, connection -> replacePayments(connection, who)),
            (database, who) -> inTransaction(database, connection -> {
                BrokenProgram.lockedBalance(connection);
                return replacePayments(connection, who);
            })),

    /** Without a foreign key, one adds to a job that the other finds to be empty and deletes. */
    CHILD_OF_A_PARENT_THAT_GOES(
            Anomaly.WRITE_SKEW,
            (database, who) -> inTransaction(
                    database, connection -> who == 1 ? payFor(connection, "") : deleteUnpaid(connection, "")),
            (database, who) -> inTransaction(
                    database,
                    connection ->
                            who == 1 ? payFor(connection, " FOR KEY SHARE") : deleteUnpaid(connection, " FOR UPDATE"))),

    /** Both choose the same job before either has taken it. */
    CLAIM_OF_WHAT_WAS_SEEN_FREE(
            Anomaly.LOST_UPDATE,
            (database, who) -> inTransaction(database, connection -> claim(connection, who, " LIMIT 1")),
            (database, who) ->
                    inTransaction(database, connection -> claim(connection, who, " LIMIT 1 FOR UPDATE SKIP LOCKED"))),

    /** The job was chosen before the wait, and taken after it: this one goes without although another job is free. */
    CLAIM_THAT_WAITED(
            Anomaly.NON_SERIALIZABLE,
            (database, who) -> inTransaction(database, connection -> claimAtOnce(connection, who, "")),
            (database, who) ->
                    inTransaction(database, connection -> claimAtOnce(connection, who, "FOR UPDATE SKIP LOCKED"))),

    /** All jobs are locked to take one, so that the other finds them skipped and thinks that there are none. */
    NOTHING_LEFT_BUT_WHAT_WAS_SKIPPED(
            Anomaly.NON_SERIALIZABLE,
            (database, who) -> inTransaction(database, connection -> claim(connection, who, " FOR UPDATE SKIP LOCKED")),
            (database, who) ->
                    inTransaction(database, connection -> claim(connection, who, " LIMIT 1 FOR UPDATE SKIP LOCKED"))),

    /** Between the two commits, what was taken here has not arrived there. */
    TRANSFER_IN_TWO_TRANSACTIONS(
            Anomaly.NON_SERIALIZABLE,
            (database, who) -> autoCommit(database, connection -> who == 1 ? move(connection) : total(connection)),
            (database, who) -> inTransaction(database, connection -> who == 1 ? move(connection) : total(connection))),

    /** Each query of the report has a snapshot of its own. */
    REPORT_OF_TWO_QUERIES(
            Anomaly.READ_SKEW,
            (database, who) -> inTransaction(database, connection -> who == 1 ? move(connection) : both(connection)),
            (database, who) -> inTransaction(
                    database,
                    who == 1 ? TRANSACTION_READ_COMMITTED : TRANSACTION_REPEATABLE_READ,
                    connection -> who == 1 ? move(connection) : both(connection))),

    /** SERIALIZABLE watches over those only who are all at that level. */
    SERIALIZABLE_ON_ONE_SIDE(
            Anomaly.WRITE_SKEW,
            (database, who) -> inTransaction(
                    database,
                    who == 1 ? TRANSACTION_SERIALIZABLE : TRANSACTION_REPEATABLE_READ,
                    connection -> withdraw(connection, who)),
            (database, who) ->
                    inTransaction(database, TRANSACTION_SERIALIZABLE, connection -> withdraw(connection, who)));

    private final Anomaly anomaly;
    private final Code broken;
    private final Code fixed;

    BrokenDecision(Anomaly anomaly, Code broken, Code fixed) {
        this.anomaly = anomaly;
        this.broken = broken;
        this.fixed = fixed;
    }

    @Override
    public Anomaly anomaly() {
        return anomaly;
    }

    @Override
    public Code broken() {
        return broken;
    }

    @Override
    public Code fixed() {
        return fixed;
    }

    private static String payUpToTwice(Connection connection, String count) throws SQLException {
        if (number(connection, count) == 2) {
            return "refused";
        }
        update(connection, "INSERT INTO payment VALUES (1, 1)");
        return "paid";
    }

    private static String replacePayments(Connection connection, int number) throws SQLException {
        update(connection, "DELETE FROM payment WHERE payer = 1");
        update(connection, "INSERT INTO payment VALUES (?, 1)", number);
        return "replaced";
    }

    private static String payFor(Connection connection, String lock) throws SQLException {
        if (find(connection, "SELECT id FROM job WHERE id = 2" + lock).isEmpty()) {
            return "no such job";
        }
        update(connection, "INSERT INTO payment VALUES (2, 1)");
        return "paid";
    }

    private static String deleteUnpaid(Connection connection, String lock) throws SQLException {
        find(connection, "SELECT id FROM job WHERE id = 2" + lock);
        if (number(connection, "SELECT count(*) FROM payment WHERE number = 2") > 0) {
            return "paid for";
        }
        update(connection, "DELETE FROM job WHERE id = 2");
        return "deleted";
    }

    private static OptionalInt claim(Connection connection, int who, String which) throws SQLException {
        OptionalInt job = find(connection, "SELECT id FROM job WHERE owner IS NULL ORDER BY id" + which);
        if (job.isPresent()) {
            update(connection, "UPDATE job SET owner = ? WHERE id = ?", who, job.getAsInt());
        }
        return job;
    }

    private static OptionalInt claimAtOnce(Connection connection, int who, String lock) throws SQLException {
        return find(connection, """
                UPDATE job SET owner = ?
                WHERE id = (SELECT id FROM job WHERE owner IS NULL ORDER BY id LIMIT 1 %s) AND owner IS NULL
                RETURNING id""".formatted(lock), who);
    }

    private static int move(Connection connection) throws SQLException {
        update(connection, "UPDATE wallet SET balance = balance - 10 WHERE id = 1");
        return update(connection, "UPDATE wallet SET balance = balance + 10 WHERE id = 2");
    }

    private static int total(Connection connection) throws SQLException {
        return number(connection, "SELECT sum(balance) FROM wallet");
    }

    private static int both(Connection connection) throws SQLException {
        return number(connection, "SELECT balance FROM wallet WHERE id = 1")
                + number(connection, "SELECT balance FROM wallet WHERE id = 2");
    }

    /** The rule is about both wallets together. */
    private static String withdraw(Connection connection, int wallet) throws SQLException {
        if (total(connection) < 150) {
            return "refused";
        }
        update(connection, "UPDATE wallet SET balance = balance - 100 WHERE id = ?", wallet);
        return "paid";
    }
}
