package dev.rowlock;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A database of its own for each test, a Rowlock over it with all defaults, and threads for the other parties. */
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
        rowlock = Rowlock.over(database.pool());
        threads = new Threads();
    }

    @AfterEach
    void closeDatabase() {
        threads.close();
        database.close();
    }

    /** Goes on only if the write was applied, else throws what {@link Write#orThrow} throws. */
    protected static void must(Write write) {
        Row unused = write.orThrow();
    }
}
