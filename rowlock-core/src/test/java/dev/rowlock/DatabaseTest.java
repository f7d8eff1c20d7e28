package dev.rowlock;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A database of its own for each test, a Rowlock over it whose lock timeout a slow machine cannot reach, and threads for the other parties. */
public abstract class DatabaseTest {
    private final String[] schema;

    protected TestDatabase database;
    protected Rowlock rowlock;
    protected Threads threads;

    /** With these statements run in the new database. */
    protected DatabaseTest(String... schema) {
        this.schema = schema;
    }

    @BeforeEach
    void openDatabase() {
        database = TestDatabase.create(schema);
        rowlock = Rowlock.builder(database.pool())
                .lockTimeout(Duration.ofSeconds(10))
                .build();
        threads = new Threads();
    }

    @AfterEach
    void closeDatabase() {
        threads.close();
        database.close();
    }

    /** Goes on only if the write was applied, else throws what {@link Write#orThrow} throws. */
    protected static void must(Write write) {
        write.orThrow();
    }

    /** Runs SQL of the program's own in the transaction. */
    protected static void execute(Tx tx, String sql) throws SQLException {
        try (Statement statement = tx.connection().createStatement()) {
            statement.execute(sql);
        }
    }

    /** The one value that the query returns, as text. */
    protected static String text(Tx tx, String query) throws SQLException {
        try (Statement statement = tx.connection().createStatement();
                ResultSet result = statement.executeQuery(query)) {
            if (!result.next()) {
                throw new AssertionError("no row: " + query);
            }
            return result.getString(1);
        }
    }

    /** Lets the server itself raise the error, which aborts the transaction. */
    protected static void raise(Tx tx, String sqlState) throws SQLException {
        execute(tx, "DO $$ BEGIN RAISE EXCEPTION SQLSTATE '" + sqlState + "'; END $$");
    }
}
