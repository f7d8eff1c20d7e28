package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Rows found by a condition. */
class LockWhereTest extends DatabaseTest {
    private static final Table JOBS = Table.of("job", "id");
    private static final Lock LOCK = Lock.forNoKeyUpdate();

    LockWhereTest() {
        super(
                "CREATE TABLE job (id bigint PRIMARY KEY, state text)",
                "INSERT INTO job VALUES (3, 'new'), (1, 'new'), (2, 'old'), (4, 'new')");
    }

    @Test
    void matchingRowsComeInKeyOrder() {
        rowlock.run(tx -> assertThat(ids(tx.lockWhere(JOBS, "state = ?", List.of("new"), LOCK)))
                .containsExactly(1L, 3L, 4L));
    }

    @Test
    void asManyRowsAsTheLimitAreFine() {
        rowlock.run(tx -> assertThat(tx.lockWhere(JOBS, "state = ?", List.of("new"), LOCK.limit(3)))
                .hasSize(3));
    }

    @Test
    void oneRowMoreThanTheLimitRollsBack() {
        assertThatExceptionOfType(TooManyRowsException.class)
                .isThrownBy(() -> rowlock.run(tx -> {
                    tx.insert(JOBS).set("id", 9).apply();
                    tx.lockWhere(JOBS, "state = ?", List.of("new"), LOCK.limit(2));
                }))
                .withMessageContaining("more than 2 rows of job");
        assertThat(database.number("SELECT count(*) FROM job")).isEqualTo(4);
    }

    @Test
    void oneRowMoreThanTheLimitRollsBackEvenIfCaught() {
        assertThatIllegalStateException()
                .isThrownBy(() -> rowlock.run(tx -> {
                    tx.insert(JOBS).set("id", 9).apply();
                    assertThatExceptionOfType(TooManyRowsException.class)
                            .isThrownBy(() -> tx.lockWhere(JOBS, "state = ?", List.of("new"), LOCK.limit(2)));
                }));
        assertThat(database.number("SELECT count(*) FROM job")).isEqualTo(4);
    }

    /** The twin: without the limit an unforeseen number of rows is locked and nobody is told. */
    @Test
    void plainSqlLocksHoweverManyMatch() throws Exception {
        try (Session session = Session.open(database)) {
            assertThat(session.run("SELECT * FROM job WHERE state = 'new' FOR UPDATE"))
                    .isEqualTo(3);
        }
    }

    @Test
    void limitOfTheRowlockHoldsWhereTheRequestHasNone() {
        Rowlock two = Rowlock.builder(database.pool()).maxRows(2).build();
        assertThatExceptionOfType(TooManyRowsException.class)
                .isThrownBy(() -> two.run(tx -> tx.lockWhere(JOBS, "state = ?", List.of("new"), LOCK)));
    }

    @Test
    void firstTakesNoMoreThanItSaysAndLeavesTheRestFree() throws Exception {
        try (Session other = Session.open(database)) {
            rowlock.run(tx -> {
                assertThat(ids(tx.lockWhere(JOBS, "state = ?", List.of("new"), LOCK.first(2))))
                        .containsExactly(1L, 3L);
                assertThat(other.run("SELECT * FROM job FOR UPDATE SKIP LOCKED"))
                        .isEqualTo(2);
            });
        }
    }

    @Test
    void rowThatNoLongerMatchesWhenItsHolderLetsGoIsLeftOut() {
        Threads.Both both = threads.secondWaits(
                database,
                meet -> rowlock.call(tx -> {
                    must(tx.update(JOBS, 1).set("state", "old").apply());
                    meet.run();
                    return "changed";
                }),
                meet -> rowlock.call(tx -> ids(tx.lockWhere(JOBS, "state = ?", List.of("new"), LOCK))));

        assertThat(both.second()).isEqualTo(List.of(3L, 4L));
    }

    @Test
    void conditionWithOrStaysOneCondition() {
        rowlock.run(tx -> assertThat(ids(tx.lockWhere(JOBS, "state = ? OR id = ?", List.of("old", 4), LOCK)))
                .containsExactly(2L, 4L));
    }

    @Test
    void wrongNumberOfValuesIsToldBeforeAnySqlIsSent() {
        rowlock.run(tx -> {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> tx.lockWhere(JOBS, "state = ?", List.of(), LOCK))
                    .withMessageContaining("has 1 parameter(s), but 0");
            assertThatIllegalArgumentException().isThrownBy(() -> tx.lockWhere(JOBS, " ", List.of(), LOCK));
            assertThat(tx.lockWhere(JOBS, "state <> '?' AND id = ?", List.of(1), LOCK))
                    .hasSize(1);
        });
    }

    private static List<Long> ids(Rows rows) {
        return rows.stream().map(row -> row.getLong("id")).toList();
    }
}
