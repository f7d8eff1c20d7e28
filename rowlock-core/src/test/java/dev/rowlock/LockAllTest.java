package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Several rows in one request, with keys of every type. */
class LockAllTest extends DatabaseTest {
    private static final Table NOTES = Table.of("note", "id");
    private static final Table LINES = Table.of("line", "order_id", "code");

    LockAllTest() {
        super(
                "CREATE TABLE note (id bigint PRIMARY KEY)",
                "INSERT INTO note SELECT generate_series(1, 150)",
                "CREATE TABLE line (order_id int, code text, PRIMARY KEY (order_id, code))",
                "INSERT INTO line VALUES (1, 'a'), (1, 'b'), (2, 'a'), (2, 'b')");
    }

    @Test
    void keysGivenTwiceCountOnceAndRowsComeInKeyOrder() {
        rowlock.runWithLocks(
                NOTES,
                List.of(3, 1L, 3L, 2, 1),
                (tx, rows) ->
                        assertThat(rows).extracting(row -> row.getLong("id")).containsExactly(1L, 2L, 3L));
    }

    @Test
    void firstMissingKeyInTheCallersOrderIsNamed() {
        assertThatExceptionOfType(MissingRowException.class)
                .isThrownBy(() -> rowlock.runWithLocks(NOTES, List.of(2, 902, 1, 901), (tx, rows) -> {}))
                .satisfies(e -> {
                    assertThat(e.key()).isEqualTo(Key.of(902));
                    assertThat(e.table()).isEqualTo(NOTES);
                })
                .withMessage("there is no row 902 in note");
    }

    @Test
    void missingRowsAreLeftOutOfTheFormForThoseThatArePresent() {
        rowlock.run(tx -> {
            Rows rows = tx.lockAllPresent(NOTES, List.of(901, 2), Lock.forUpdate());
            assertThat(rows.size()).isEqualTo(1);
            assertThat(rows.find(901)).isEmpty();
            assertThat(rows.get(2).getLong("id")).isEqualTo(2);
            assertThatExceptionOfType(MissingRowException.class).isThrownBy(() -> rows.get(901));
        });
    }

    @Test
    void noKeysLockNothing() {
        rowlock.runWithLocks(
                NOTES, List.of(), (tx, rows) -> assertThat(rows.isEmpty()).isTrue());
    }

    @Test
    void compositeKeysLockExactlyTheirRows() throws Exception {
        try (Session other = Session.open(database)) {
            rowlock.runWithLocks(LINES, List.of(Key.of(2, "a"), Key.of(1, "b")), (tx, rows) -> {
                assertThat(rows).extracting(Row::key).containsExactly(Key.of(1, "b"), Key.of(2, "a"));
                assertThat(other.run("SELECT * FROM line FOR UPDATE SKIP LOCKED"))
                        .isEqualTo(2);
            });
        }
    }

    @Test
    void compositeKeysAreLockedInTheSameOrderHoweverTheyAreGiven() {
        Rowlock once = rowlock.withMaxAttempts(1);
        List<Key> keys = List.of(Key.of(1, "a"), Key.of(2, "b"));
        List<Key> reversed = List.of(Key.of(2, "b"), Key.of(1, "a"));
        Threads.Both both = threads.secondWaits(
                database,
                meet -> once.withLocks(LINES, keys, (tx, rows) -> {
                    meet.run();
                    return rows.size();
                }),
                meet -> once.withLocks(LINES, reversed, (tx, rows) -> rows.size()));

        assertThat(both).isEqualTo(new Threads.Both(2, 2));
        assertThat(database.deadlocks()).isZero();
    }

    @Test
    void keysAreLongIntUuidOrText() {
        UUID id = UUID.randomUUID();
        for (Object[] typed : new Object[][] {{"bigint", 7L}, {"int", 7}, {"uuid", id}, {"text", "O'Hara \"x\" ?"}}) {
            Object key = typed[1];
            Table table = Table.of("typed_" + typed[0], "Key");
            database.sql("CREATE TABLE typed_" + typed[0] + " (\"Key\" " + typed[0] + " PRIMARY KEY, n int)");
            rowlock.run(tx -> {
                tx.insert(table).set("Key", key).set("n", 1).apply();
                assertThat(tx.lock(table, key).key()).isEqualTo(Key.of(key));
                assertThat(tx.lockAll(table, List.of(key)).get(key).getInt("n")).isEqualTo(1);
                assertThat(tx.peek(table, key)).isPresent();
                must(tx.update(table, key).add("n", 1).apply());
            });
            assertThat(database.number("SELECT n FROM typed_" + typed[0])).isEqualTo(2);
        }
    }

    @Test
    void keysThatNoRowCanHaveAreRefused() {
        rowlock.run(tx -> {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> tx.lock(NOTES, 1.5))
                    .withMessageContaining("java.lang.Double");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> tx.lock(LINES, 1))
                    .withMessageContaining("2 column(s)");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> tx.lockAll(NOTES, List.of(1, "one")))
                    .withMessageContaining("mix");
        });
    }

    @Test
    void moreKeysThanTheLimitAreRefusedAndTheTransactionRollsBack() {
        List<Long> all = LongStream.rangeClosed(1, 101).boxed().toList();
        assertThatIllegalStateException()
                .isThrownBy(() -> rowlock.run(tx -> {
                    tx.insert(NOTES).set("id", 1000).apply();
                    assertThatExceptionOfType(TooManyRowsException.class)
                            .isThrownBy(() -> tx.lockAll(NOTES, all))
                            .withMessageContaining("101 rows of note")
                            .withMessageContaining("limit is 100");
                }))
                .withCauseInstanceOf(TooManyRowsException.class);
        assertThat(database.number("SELECT count(*) FROM note WHERE id = 1000")).isZero();

        rowlock.run(tx ->
                assertThat(tx.lockAll(NOTES, all, Lock.forUpdate().limit(101))).hasSize(101));
    }

    @Test
    void missingRowOfASingleLockIsAnExceptionOrEmpty() {
        assertThatExceptionOfType(MissingRowException.class)
                .isThrownBy(() -> rowlock.runWithLock(NOTES, 901, (tx, row) -> {
                    throw new AssertionError("was run");
                }))
                .withMessage("there is no row 901 in note");
        rowlock.run(tx -> assertThat(tx.lockIfPresent(NOTES, 901)).isEmpty());
        rowlock.run(tx -> assertThat(tx.peek(NOTES, 901)).isEmpty());
    }

    @Test
    void missingRowCaughtByTheFunctionLeavesTheTransactionUsable() {
        rowlock.run(tx -> {
            assertThatExceptionOfType(MissingRowException.class).isThrownBy(() -> tx.lock(NOTES, 901));
            tx.insert(NOTES).set("id", 901).apply();
        });

        assertThat(database.number("SELECT count(*) FROM note WHERE id = 901")).isEqualTo(1);
    }
}
