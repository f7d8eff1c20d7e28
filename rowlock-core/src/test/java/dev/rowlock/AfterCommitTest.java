package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Work that waits for the commit. */
class AfterCommitTest extends DatabaseTest {
    private static final Table NOTES = Table.of("note", "id");

    private final List<String> done = new ArrayList<>();

    AfterCommitTest() {
        super("CREATE TABLE note (id bigint PRIMARY KEY, text text)");
    }

    @Test
    void workRunsInTheOrderGiven() {
        rowlock.run(tx -> {
            tx.afterCommit(() -> done.add("first"));
            tx.afterCommit(() -> done.add("second"));
            done.add("function");
        });

        assertThat(done).containsExactly("function", "first", "second");
    }

    @Test
    void failingWorkStopsNeitherTheCommitNorTheWorkBehindIt() {
        Events events = new Events();
        RuntimeException broken = new IllegalArgumentException("broken mail server");
        Rowlock.builder(database.pool()).listener(events).build().run(tx -> {
            tx.insert(NOTES).set("id", 1).apply();
            tx.afterCommit(() -> {
                throw broken;
            });
            tx.afterCommit(() -> done.add("second"));
        });

        assertThat(done).containsExactly("second");
        assertThat(events.of(Throwable.class)).containsExactly(broken);
        assertThat(database.number("SELECT count(*) FROM note")).isEqualTo(1);
    }

    @Test
    void workSeesTheRowCommittedAndNoTransactionOpen() {
        rowlock.run(tx -> {
            tx.insert(NOTES).set("id", 1).apply();
            tx.afterCommit(() -> {
                done.add("rows: " + database.number("SELECT count(*) FROM note"));
                done.add("open: " + openTransactions());
            });
            assertThat(database.number("SELECT count(*) FROM note")).isZero();
            assertThat(openTransactions()).isEqualTo(1);
        });

        assertThat(done).containsExactly("rows: 1", "open: 0");
    }

    @Test
    void workCanUseTheOnlyConnectionOfThePool() {
        try (TestDatabase small = TestDatabase.create(1, "CREATE TABLE note (id bigint PRIMARY KEY)")) {
            Rowlock alone = Rowlock.over(small.pool());
            alone.run(tx -> tx.afterCommit(
                    () -> alone.run(second -> second.insert(NOTES).set("id", 2).apply())));

            assertThat(small.number("SELECT id FROM note")).isEqualTo(2);
        }
    }

    @Test
    void workIsNotDoneAfterARollback() {
        assertThatThrownBy(() -> rowlock.run(tx -> {
                    tx.afterCommit(() -> done.add("mail"));
                    throw new IllegalArgumentException("no");
                }))
                .hasMessage("no");

        assertThat(done).isEmpty();
    }

    @Test
    void workIsNotDoneWhenTheCommitItselfFails() {
        database.sql("ALTER TABLE note ADD CONSTRAINT one_text UNIQUE (text) DEFERRABLE INITIALLY DEFERRED");
        assertThatThrownBy(() -> rowlock.run(tx -> {
                    tx.insert(NOTES).set("id", 1).set("text", "same").apply();
                    tx.insert(NOTES).set("id", 2).set("text", "same").apply();
                    tx.afterCommit(() -> done.add("mail"));
                }))
                .isInstanceOfSatisfying(
                        DatabaseException.class, e -> assertThat(e.sqlState()).contains("23505"));

        assertThat(done).isEmpty();
    }

    /** The broken twin: the function does the work itself, and the row it tells of never comes to be. */
    @Test
    void workInsideTheFunctionIsDoneAlthoughItRollsBack() {
        assertThatThrownBy(() -> rowlock.run(tx -> {
                    tx.insert(NOTES).set("id", 1).apply();
                    done.add("mail about note 1");
                    throw new IllegalArgumentException("no");
                }))
                .hasMessage("no");

        assertThat(done).containsExactly("mail about note 1");
        assertThat(database.number("SELECT count(*) FROM note")).isZero();
    }

    @Test
    void workOfAJoinedCallWaitsForTheOutermostCommit() {
        rowlock.run(tx -> {
            rowlock.run(inner -> {
                inner.insert(NOTES).set("id", 1).apply();
                inner.afterCommit(() -> done.add("rows: " + database.number("SELECT count(*) FROM note")));
            });
            done.add("inner call has returned");
        });

        assertThat(done).containsExactly("inner call has returned", "rows: 1");
    }

    @Test
    void workOfAJoinedCallIsNotDoneIfTheOutermostRollsBack() {
        assertThatThrownBy(() -> rowlock.run(tx -> {
                    rowlock.run(inner -> inner.afterCommit(() -> done.add("mail")));
                    throw new IllegalArgumentException("no");
                }))
                .hasMessage("no");

        assertThat(done).isEmpty();
    }

    private long openTransactions() {
        return database.number("""
                SELECT count(*)
                FROM pg_stat_activity
                WHERE datname = current_database()
                  AND pid <> pg_backend_pid()
                  AND state LIKE 'idle in transaction%'""");
    }
}
