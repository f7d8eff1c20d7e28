package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.jdbc.AutoSave;

/** A column is added while the program runs: what connections do that had already prepared their statements on the server. */
class SchemaChangeTest extends DatabaseTest {
    private static final Table NOTES = Table.of("note", "id");
    /** pgjdbc prepares a statement on the server from its fifth use on. */
    private static final int USES = 10;

    SchemaChangeTest() {
        super("CREATE TABLE note (id bigint PRIMARY KEY)", "INSERT INTO note VALUES (1)");
    }

    @Test
    void preparedStatementFailsOnceWithoutHavingDoneAnything() {
        try (HikariDataSource pool = pool(AutoSave.NEVER)) {
            Rowlock one = prepared(pool);

            assertThatExceptionOfType(DatabaseException.class)
                    .isThrownBy(() -> lock(one))
                    .satisfies(e -> assertThat(e.sqlState()).hasValue("0A000"));
            assertThat(lock(one).values()).containsKeys("id", "added");
        }
    }

    @Test
    void conservativeAutosaveOfTheDriverHealsIt() {
        try (HikariDataSource pool = pool(AutoSave.CONSERVATIVE)) {
            assertThat(lock(prepared(pool)).values()).containsKeys("id", "added");
        }
    }

    private Rowlock prepared(HikariDataSource pool) {
        Rowlock one = Rowlock.over(pool);
        for (int i = 0; i < USES; i++) {
            lock(one);
        }
        database.sql("ALTER TABLE note ADD COLUMN added text");
        return one;
    }

    private static Row lock(Rowlock one) {
        return one.withLock(NOTES, 1, (tx, row) -> row);
    }

    private HikariDataSource pool(AutoSave autoSave) {
        PGSimpleDataSource dataSource = database.unpooled();
        dataSource.setAutosave(autoSave);
        HikariConfig config = new HikariConfig();
        config.setDataSource(dataSource);
        config.setMaximumPoolSize(1);
        return new HikariDataSource(config);
    }
}
