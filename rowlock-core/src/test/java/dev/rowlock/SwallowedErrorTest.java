package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * The function's own SQL fails, the function catches that and returns as if all was well. PostgreSQL answers the COMMIT of such a
 * transaction with ROLLBACK and no error, and the driver passes that on as success.
 */
class SwallowedErrorTest extends DatabaseTest {
    private static final Table NOTES = Table.of("note", "id");

    private final AtomicInteger attempts = new AtomicInteger();
    private final List<String> mails = new ArrayList<>();

    SwallowedErrorTest() {
        super("CREATE TABLE note (id bigint PRIMARY KEY)");
    }

    @Test
    void swallowedDeadlockIsRunAgain() {
        rowlock.run(tx -> {
            tx.insert(NOTES).set("id", 1).apply();
            if (attempts.incrementAndGet() <= 2) {
                swallow(tx, "40P01");
            }
        });

        assertThat(attempts).hasValue(3);
        assertThat(database.number("SELECT count(*) FROM note")).isEqualTo(1);
    }

    @Test
    void swallowedOtherErrorIsToldAndNothingIsSentAfterIt() {
        assertThatIllegalStateException()
                .isThrownBy(() -> rowlock.run(tx -> {
                    tx.insert(NOTES).set("id", 1).apply();
                    tx.afterCommit(() -> mails.add("note 1"));
                    swallow(tx, "22012");
                }));

        assertThat(mails).isEmpty();
        assertThat(database.number("SELECT count(*) FROM note")).isZero();
    }

    @Test
    void errorBehindASavepointOfTheFunctionDoesNotCount() throws SQLException {
        rowlock.run(tx -> {
            execute(tx, "SAVEPOINT before");
            swallow(tx, "22012");
            execute(tx, "ROLLBACK TO SAVEPOINT before");
            tx.insert(NOTES).set("id", 1).apply();
        });

        assertThat(database.number("SELECT count(*) FROM note")).isEqualTo(1);
    }

    /** The broken twin: plain JDBC reports a commit, and the row is not there. */
    @Test
    void plainCommitSaysYesAndTheRowIsMissing() throws Exception {
        try (Session session = Session.open(database)) {
            session.run("INSERT INTO note VALUES (1)");
            assertThat(session.fail("SELECT 1 / 0")).isEqualTo("22012");
            session.commit();
        }
        assertThat(database.number("SELECT count(*) FROM note")).isZero();
    }

    private static void swallow(Tx tx, String state) {
        try {
            raise(tx, state);
            throw new AssertionError("no error was raised");
        } catch (SQLException e) {
            assertThat(e.getSQLState()).isEqualTo(state);
        }
    }
}
