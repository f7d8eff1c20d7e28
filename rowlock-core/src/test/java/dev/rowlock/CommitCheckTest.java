package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When the server's word about a transaction id can be believed. */
class CommitCheckTest {
    private final SQLException lost = new SQLException("connection lost", "08006");

    private TestDatabase database;

    @BeforeEach
    void open() {
        database = TestDatabase.create("CREATE TABLE note (text text)");
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void committedIsBelievedFromTheSameRunOfTheServer() throws SQLException {
        String xid = endedTransaction("COMMIT");
        assertThatCode(() -> check(serverRun(database.unpooled())).requireCommitted(xid, lost))
                .doesNotThrowAnyException();
    }

    /** After a crash the id may have been handed out again, to a transaction that is not ours. */
    @Test
    void committedIsNotBelievedFromAnotherRunOfTheServer() throws SQLException {
        String xid = endedTransaction("COMMIT");
        assertThatThrownBy(() -> check("another run").requireCommitted(xid, lost))
                .isInstanceOf(CommitUnknownException.class);
    }

    @Test
    void abortedIsBelievedFromAnyRunOfTheServer() throws SQLException {
        String xid = endedTransaction("ROLLBACK");
        assertThatThrownBy(() -> check("another run").requireCommitted(xid, lost))
                .isInstanceOf(ConnectionLostException.class);
    }

    @Test
    void idThatTheServerHasNotReachedIsUnknown() {
        assertThatThrownBy(() -> check("another run").requireCommitted("999999999999", lost))
                .isInstanceOf(CommitUnknownException.class);
    }

    @Test
    void crashBeginsAnotherRunOfTheServer() throws IOException, SQLException {
        try (EmbeddedPostgres server = EmbeddedPostgres.start()) {
            DataSource dataSource = server.getPostgresDatabase();
            String before = serverRun(dataSource);
            try (Connection connection = dataSource.getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet pid = statement.executeQuery("SELECT pg_backend_pid()")) {
                pid.next();
                // One backend that dies of SIGKILL makes the postmaster end all others and recover from the log.
                assertThat(ProcessHandle.of(pid.getLong(1)).orElseThrow().destroyForcibly())
                        .isTrue();
            }
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(serverRun(dataSource)).isNotEqualTo(before));
        }
    }

    private CommitCheck check(String serverRun) {
        Rowlock.Builder builder = Rowlock.builder(database.unpooled()).commitCheckLimit(Duration.ofMillis(200));
        return new CommitCheck(database.unpooled(), builder.settings(), serverRun);
    }

    private static String serverRun(DataSource dataSource) throws SQLException {
        Settings settings = Rowlock.builder(dataSource).settings();
        try (Connection connection = dataSource.getConnection()) {
            return SessionLimits.prepare(connection, settings).serverRun();
        }
    }

    private String endedTransaction(String end) throws SQLException {
        try (Connection connection = database.unpooled().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("BEGIN; INSERT INTO note VALUES ('x')");
            String xid;
            try (ResultSet result = statement.executeQuery("SELECT pg_current_xact_id()::text")) {
                result.next();
                xid = result.getString(1);
            }
            statement.execute(end);
            return xid;
        }
    }
}
