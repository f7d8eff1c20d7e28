package dev.rowlock.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Types;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGStatement;
import org.postgresql.jdbc.PgResultSet;

/** Every call that can reach the database is told before and after, with what it sends and what comes back. */
class InterceptedDataSourceTest {
    private static EmbeddedPostgres server;

    private final Recorder recorder = new Recorder();
    private DataSource dataSource;
    private Connection connection;

    @BeforeAll
    static void start() throws IOException {
        server = EmbeddedPostgres.start();
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    @BeforeEach
    void open() throws SQLException {
        dataSource = InterceptedDataSource.of(server.getPostgresDatabase(), recorder);
        connection = dataSource.getConnection();
        try (Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS t");
            statement.execute("CREATE TABLE t (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, n int NOT NULL)");
        }
        recorder.forget();
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    private int insert(int n) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("INSERT INTO t (n) VALUES (?)")) {
            statement.setInt(1, n);
            return statement.executeUpdate();
        }
    }

    @Test
    void connectionsAreToldWhenTheyAreHandedOut() throws SQLException {
        try (Connection second = dataSource.getConnection()) {
            assertThat(second.isValid(1)).isTrue();
            assertThat(recorder.told()).containsExactly("opened");
        }
        assertThat(recorder.told()).containsExactly("CLOSE", "came back");
    }

    @Test
    void preparedStatementComesWithItsValuesAndCount() throws SQLException {
        assertThat(insert(5)).isOne();

        assertThat(recorder.told()).containsExactly("STATEMENT INSERT INTO t (n) VALUES (5)", "came back [1]");
    }

    @Test
    void statementsOfAllMethodsAreTold() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            assertThat(statement.execute("INSERT INTO t (n) VALUES (1), (2)")).isFalse();
            assertThat(statement.executeUpdate("UPDATE t SET n = 3")).isEqualTo(2);
            assertThat(statement.executeLargeUpdate("DELETE FROM t")).isEqualTo(2);
            assertThat(statement.execute("SELECT 7")).isTrue();
            statement.getResultSet().next();
        }

        assertThat(recorder.told())
                .containsExactly(
                        "STATEMENT INSERT INTO t (n) VALUES (1), (2)",
                        "came back [2]",
                        "STATEMENT UPDATE t SET n = 3",
                        "came back [2]",
                        "STATEMENT DELETE FROM t",
                        "came back [2]",
                        "STATEMENT SELECT 7",
                        "came back",
                        "row 7");
    }

    @Test
    void generatedKeysAreRowsOfTheInsert() throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("INSERT INTO t (n) VALUES (?)", Statement.RETURN_GENERATED_KEYS)) {
            statement.setInt(1, 5);
            statement.executeUpdate();
            ResultSet keys = statement.getGeneratedKeys();
            assertThat(keys.next()).isTrue();
            assertThat(keys.getInt(1)).isEqualTo(1);
        }

        assertThat(recorder.told()).containsExactly("STATEMENT INSERT INTO t (n) VALUES (5)", "came back [1]", "row 1");
    }

    @Test
    void batchOfValuesIsOneCall() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("INSERT INTO t (n) VALUES (?)")) {
            for (int n = 1; n <= 2; n++) {
                statement.setInt(1, n);
                statement.addBatch();
            }
            assertThat(statement.executeBatch()).containsExactly(1, 1);
        }

        assertThat(recorder.told())
                .containsExactly(
                        "BATCH INSERT INTO t (n) VALUES (1); INSERT INTO t (n) VALUES (2)", "came back [1, 1]");
    }

    @Test
    void batchOfStatementsIsOneCall() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.addBatch("INSERT INTO t (n) VALUES (1)");
            statement.addBatch("DELETE FROM t");
            assertThat(statement.executeLargeBatch()).containsExactly(1, 1);
        }

        assertThat(recorder.told())
                .containsExactly("BATCH INSERT INTO t (n) VALUES (1); DELETE FROM t", "came back [1, 1]");
    }

    @Test
    void endsOfTransactionsAndSavepointsAreTold() throws SQLException {
        connection.setAutoCommit(false);
        insert(1);
        Savepoint savepoint = connection.setSavepoint();
        connection.rollback(savepoint);
        connection.releaseSavepoint(savepoint);
        connection.commit();
        connection.rollback();
        connection.setAutoCommit(true);
        connection.setAutoCommit(true);

        assertThat(recorder.told())
                .filteredOn(line -> !line.startsWith("came back"))
                .containsExactly(
                        "STATEMENT INSERT INTO t (n) VALUES (1)",
                        "SAVEPOINT",
                        "ROLLBACK_TO_SAVEPOINT",
                        "RELEASE_SAVEPOINT",
                        "COMMIT",
                        "ROLLBACK",
                        "AUTO_COMMIT");
    }

    @Test
    void schemaIsACall() throws SQLException {
        connection.setSchema("public");

        assertThat(recorder.told()).containsExactly("SCHEMA", "came back");
    }

    @Test
    void closeWithATransactionOpenRollsBackAndIsToldOnce() throws SQLException {
        Connection second = dataSource.getConnection();
        second.setAutoCommit(false);
        try (Statement statement = second.createStatement()) {
            statement.executeUpdate("INSERT INTO t (n) VALUES (1)");
        }
        second.close();
        second.close();

        assertThat(recorder.told())
                .containsExactly(
                        "opened", "STATEMENT INSERT INTO t (n) VALUES (1)", "came back [1]", "CLOSE", "came back");
        try (Statement statement = connection.createStatement();
                ResultSet count = statement.executeQuery("SELECT count(*) FROM t")) {
            count.next();
            assertThat(count.getInt(1)).isZero();
        }
    }

    @Test
    void rowsAreToldAsTheProgramComesToThem() throws SQLException {
        insert(5);
        insert(6);
        recorder.forget();
        try (PreparedStatement statement = connection.prepareStatement("SELECT n FROM t WHERE n > ? ORDER BY n")) {
            statement.setInt(1, 0);
            ResultSet rows = statement.executeQuery();
            assertThat(recorder.told())
                    .containsExactly("STATEMENT SELECT n FROM t WHERE n > 0 ORDER BY n", "came back");
            rows.next();
            assertThat(rows.getInt("n")).isEqualTo(5);
            assertThat(recorder.told()).containsExactly("row 5");
            rows.next();
            assertThat(rows.next()).isFalse();
            assertThat(recorder.told()).containsExactly("row 6");
        }
    }

    /** Each part of the rows is a message of its own, and locks rows of its own. */
    @Test
    void partsOfARowByRowResultAreCalls() throws SQLException {
        insert(5);
        insert(6);
        insert(7);
        connection.setAutoCommit(false);
        recorder.forget();
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(2);
            ResultSet rows = statement.executeQuery("SELECT n FROM t ORDER BY n");
            while (rows.next()) {
                assertThat(rows.getInt(1)).isPositive();
            }
        }

        assertThat(recorder.told())
                .containsExactly(
                        "STATEMENT SELECT n FROM t ORDER BY n",
                        "came back",
                        "row 5",
                        "row 6",
                        "FETCH fetch more of SELECT n FROM t ORDER BY n",
                        "came back",
                        "row 7");
    }

    @Test
    void updatableRowsAreCalls() throws SQLException {
        insert(5);
        recorder.forget();
        try (Statement statement =
                connection.createStatement(ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_UPDATABLE)) {
            ResultSet rows = statement.executeQuery("SELECT id, n FROM t");
            rows.next();
            rows.updateInt("n", 9);
            rows.updateRow();
        }

        assertThat(recorder.told())
                .containsExactly(
                        "STATEMENT SELECT id, n FROM t",
                        "came back",
                        "row 1",
                        "ROW change a row of SELECT id, n FROM t",
                        "came back");
    }

    @Test
    void procedureCallIsAStatement() throws SQLException {
        try (CallableStatement call = connection.prepareCall("{ ? = call upper(?) }")) {
            call.registerOutParameter(1, Types.VARCHAR);
            call.setString(2, "a");
            call.execute();
            assertThat(call.getString(1)).isEqualTo("A");
        }

        assertThat(recorder.calls)
                .singleElement()
                .satisfies(call -> assertThat(call.kind()).isEqualTo(Call.Kind.STATEMENT))
                .satisfies(call -> assertThat(call.statements().get(0).values()).containsExactly("'a'"))
                .satisfies(call ->
                        assertThat(call.statements().get(0).canBeBoundAgain()).isFalse());
    }

    @Test
    void errorIsToldAndReachesTheProgram() {
        assertThatExceptionOfType(SQLException.class).isThrownBy(() -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SELECT 1 / 0");
            }
        });

        assertThat(recorder.told()).containsExactly("STATEMENT SELECT 1 / 0", "failed 22012");
    }

    @Test
    void callIsNotMadeWhenTheInterceptorThrows() throws SQLException {
        Interceptor refusing = new Interceptor() {
            @Override
            public void before(Call call) {
                if (!call.kind().equals(Call.Kind.CLOSE)) {
                    throw new IllegalStateException("not now");
                }
            }

            @Override
            public void after(Call call, Result result) {}
        };
        try (Connection refused =
                InterceptedDataSource.of(server.getPostgresDatabase(), refusing).getConnection()) {
            assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> {
                try (Statement statement = refused.createStatement()) {
                    statement.execute("INSERT INTO t (n) VALUES (1)");
                }
            });
        }
        try (Statement statement = connection.createStatement();
                ResultSet count = statement.executeQuery("SELECT count(*) FROM t")) {
            count.next();
            assertThat(count.getInt(1)).isZero();
        }
    }

    @Test
    void driverIsFoundBehindAndThatIsTold() throws SQLException {
        assertThat(connection.unwrap(PGConnection.class).getBackendPID()).isPositive();

        assertThat(recorder.told()).containsExactly("unwrapped PGConnection");
    }

    @Test
    void driverIsFoundBehindStatementsAndResultsToo() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT 7")) {
            assertThat(statement.unwrap(PGStatement.class).getLastOID()).isZero();
            ResultSet rows = statement.executeQuery();
            recorder.forget();
            assertThat(rows.unwrap(PgResultSet.class)).isNotNull();
        }

        assertThat(recorder.told()).containsExactly("unwrapped PgResultSet");
    }

    @Test
    void wayBackFromAResultEndsAtTheInterceptedConnection() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            ResultSet rows = statement.executeQuery("SELECT 7");
            recorder.forget();
            try (Statement again = rows.getStatement().getConnection().createStatement()) {
                again.execute("SELECT 8");
            }
        }

        assertThat(recorder.told()).containsExactly("STATEMENT SELECT 8", "came back");
    }

    @Test
    void poolStandsInFront() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setDataSource(dataSource);
        config.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            for (int i = 0; i < 2; i++) {
                try (Connection lent = pool.getConnection();
                        Statement statement = lent.createStatement()) {
                    statement.executeUpdate("INSERT INTO t (n) VALUES (1)");
                }
            }
        }

        assertThat(recorder.calls)
                .filteredOn(call -> call.kind() == Call.Kind.STATEMENT)
                .hasSize(2)
                .extracting(Call::connectionId)
                .containsOnly(recorder.calls.get(0).connectionId());
    }

    @Test
    void poolStandsBehind() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setDataSource(server.getPostgresDatabase());
        config.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(config);
                Connection lent = InterceptedDataSource.of(pool, recorder).getConnection();
                Statement statement = lent.createStatement()) {
            ResultSet rows = statement.executeQuery("SELECT 7");
            rows.next();
            assertThat(rows.getInt(1)).isEqualTo(7);
        }

        assertThat(recorder.told())
                .containsExactly("opened", "STATEMENT SELECT 7", "came back", "row 7", "CLOSE", "came back");
    }

    @Test
    void valuesAreBoundAgainToAnotherStatement() throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT ?::int, '?', \"?column?\", ?::text FROM (SELECT 1) AS s")) {
            statement.setInt(1, 3);
            statement.setNull(2, Types.VARCHAR);
            statement.executeQuery();
        }
        BoundSql seen = recorder.calls.get(0).statements().get(0);
        assertThat(seen.text()).isEqualTo("SELECT 3::int, '?', \"?column?\", NULL::text FROM (SELECT 1) AS s");

        try (PreparedStatement other =
                server.getPostgresDatabase().getConnection().prepareStatement("SELECT ?::int + 1, ?::text IS NULL")) {
            seen.bind(other);
            ResultSet rows = other.executeQuery();
            rows.next();
            assertThat(rows.getInt(1)).isEqualTo(4);
            assertThat(rows.getBoolean(2)).isTrue();
            other.getConnection().close();
        }
    }

    @Test
    void streamIsBoundOnce() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT ?::bytea")) {
            statement.setBinaryStream(1, new ByteArrayInputStream(new byte[] {1}));
            statement.executeQuery();
            BoundSql seen = recorder.calls.get(0).statements().get(0);
            assertThat(seen.canBeBoundAgain()).isFalse();
            assertThatExceptionOfType(SQLException.class).isThrownBy(() -> seen.bind(statement));
        }
    }
}
