package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A function that stands idle in its transaction for too long: the server ends the session, and the row locks with it. */
class IdleTransactionTest extends DatabaseTest {
    private static final Table NOTES = Table.of("note", "id");

    private final List<String> mails = new ArrayList<>();

    IdleTransactionTest() {
        super("CREATE TABLE note (id bigint PRIMARY KEY)");
    }

    private Rowlock impatient() {
        return Rowlock.builder(database.pool())
                .idleInTransactionTimeout(Duration.ofMillis(100))
                .build();
    }

    @Test
    void nextStatementAfterTheKillIsAClearErrorAndNothingIsHalfDone() {
        assertThatExceptionOfType(ConnectionLostException.class)
                .isThrownBy(() -> impatient().<Boolean, SQLException>call(tx -> {
                    idleUntilKilled(tx);
                    tx.insert(NOTES).set("id", 2).apply();
                    return true;
                }))
                .withMessageContaining("insert into note");
        nothingIsDone();
    }

    @Test
    void functionThatOnlyReturnsAfterTheKillIsAClearError() {
        assertThatExceptionOfType(ConnectionLostException.class)
                .isThrownBy(() -> impatient().<Boolean, SQLException>call(tx -> {
                    idleUntilKilled(tx);
                    return true;
                }));
        nothingIsDone();
    }

    /**
     * Such statements do not bring back the transaction's id, so the server cannot be asked. What the driver can tell is up to how
     * the closing of the session reaches it: with its reason, or as a broken connection, which leaves the outcome open.
     */
    @Test
    void functionThatWroteWithItsOwnSqlOnlyIsNotToldThatItCommitted() {
        assertThatThrownBy(() -> impatient().<Boolean, SQLException>call(tx -> {
                    execute(tx, "INSERT INTO note VALUES (1)");
                    database.awaitEnded(Long.parseLong(text(tx, "SELECT pg_backend_pid()")));
                    return true;
                }))
                .isInstanceOfAny(ConnectionLostException.class, CommitUnknownException.class);
        nothingIsDone();
    }

    @Test
    void poolWorksAgainAfterTheKill() {
        assertThatExceptionOfType(ConnectionLostException.class)
                .isThrownBy(() -> impatient().<Boolean, SQLException>call(tx -> {
                    idleUntilKilled(tx);
                    return true;
                }));
        rowlock.run(tx -> tx.insert(NOTES).set("id", 3).apply());

        assertThat(database.number("SELECT id FROM note")).isEqualTo(3);
    }

    /** The broken twin: a session without the limit keeps its lock for as long as it idles. */
    @Test
    void sessionWithoutTheLimitGoesOnHoldingItsLock() throws Exception {
        database.sql("INSERT INTO note VALUES (9)");
        try (Session idle = Session.open(database);
                Session other = Session.open(database)) {
            idle.run("SELECT * FROM note FOR UPDATE");
            assertThatExceptionOfType(ConnectionLostException.class)
                    .isThrownBy(() -> impatient().<Boolean, SQLException>call(tx -> {
                        idleUntilKilled(tx); // as long a time as ends this one
                        return true;
                    }));
            assertThat(other.fail("SELECT * FROM note WHERE id = 9 FOR UPDATE NOWAIT"))
                    .isEqualTo("55P03");
        }
    }

    private void idleUntilKilled(Tx tx) throws SQLException {
        tx.insert(NOTES).set("id", 1).apply();
        tx.afterCommit(() -> mails.add("note 1"));
        database.awaitEnded(Long.parseLong(text(tx, "SELECT pg_backend_pid()")));
    }

    private void nothingIsDone() {
        assertThat(database.number("SELECT count(*) FROM note")).isZero();
        assertThat(mails).isEmpty();
    }
}
