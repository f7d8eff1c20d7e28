package dev.rowlock.watch.audit;

import static dev.rowlock.watch.audit.Hazard.LOCK_NOT_SENT;
import static dev.rowlock.watch.audit.Hazard.LOCK_ORDER;
import static dev.rowlock.watch.audit.Hazard.LOCK_OUTSIDE_TRANSACTION;
import static dev.rowlock.watch.audit.Hazard.LONG_HOLD;
import static dev.rowlock.watch.audit.Hazard.ONE_PATH_LOCKS;
import static dev.rowlock.watch.audit.Hazard.READ_THEN_WRITE;
import static dev.rowlock.watch.audit.Hazard.SHARE_LOCK_UPGRADE;
import static dev.rowlock.watch.audit.Hazard.SKIP_LOCKED_DECISION;
import static dev.rowlock.watch.audit.Hazard.VERSION_SKIPPED;
import static dev.rowlock.watch.audit.Hazard.WIDE_LOCK;
import static dev.rowlock.watch.audit.Hazard.ZERO_ROWS_COMMITTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rowlock.watch.trace.ExpectedLock;
import dev.rowlock.watch.trace.TestServer;
import dev.rowlock.watch.trace.Trace;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import shop.Wallets;

/** Each hazard is found where it is, and beside each stands what looks like it and is none. */
class AuditTest {
    private static final String READ = "SELECT balance FROM wallet WHERE id = ?";
    private static final String LOCK = READ + " FOR UPDATE";
    private static final String WRITE = "UPDATE wallet SET balance = ? WHERE id = ?";

    private final AtomicLong clock = new AtomicLong();
    private final Audit audit = Audit.builder().versioned("product", "version").build();
    private final Trace trace = Trace.builder()
            .clock(clock::get)
            .skip("shop.")
            .keep("dev.rowlock.watch.audit.AuditTest")
            .listener(audit)
            .build();
    private final Wallets wallets = new Wallets(trace.over(TestServer.dataSource()));

    @BeforeEach
    void prepare() throws SQLException {
        TestServer.prepare();
    }

    private List<Hazard> found() {
        trace.flush();
        return audit.findings().stream().map(Finding::hazard).toList();
    }

    private Finding only(Hazard hazard) {
        trace.flush();
        assertThat(audit.findings())
                .singleElement()
                .satisfies(finding -> assertThat(finding.hazard()).isEqualTo(hazard));
        return audit.findings().get(0);
    }

    @Test
    void idsAreThoseOfTheGuide() {
        assertThat(Hazard.values())
                .extracting(Hazard::id)
                .containsExactly(
                        "lock-outside-transaction",
                        "lock-not-sent",
                        "wide-lock",
                        "read-then-write",
                        "one-path-locks",
                        "lock-order",
                        "zero-rows-committed",
                        "long-hold",
                        "skip-locked-decision",
                        "share-lock-upgrade",
                        "version-skipped");
    }

    // lock-outside-transaction

    @Test
    void lockThatCommitsByItselfIsFound() throws SQLException {
        wallets.autoCommit(connection -> Wallets.number(connection, LOCK, 1));

        Finding finding = only(LOCK_OUTSIDE_TRANSACTION);
        assertThat(finding.table()).isEqualTo("wallet");
        assertThat(finding.evidence()).singleElement().satisfies(evidence -> {
            assertThat(evidence.sql()).isEqualTo(LOCK);
            assertThat(evidence.caller().orElseThrow().method()).contains("lockThatCommitsByItselfIsFound");
        });
    }

    @Test
    void lockInATransactionIsNot() throws SQLException {
        wallets.inTransaction(connection -> Wallets.number(connection, LOCK, 1));

        assertThat(found()).isEmpty();
    }

    @Test
    void statementsOfOneTextAreATransaction() throws SQLException {
        wallets.autoCommit(connection -> Wallets.execute(
                connection,
                "SELECT 1 FROM wallet WHERE id = 1 FOR UPDATE; UPDATE wallet SET balance = 5 WHERE id = 1"));

        assertThat(found()).isEmpty();
    }

    /** The parser does not know ONLY with an alias. */
    @Test
    void claimInCommonTableExpressionsMayTooIfTheParserDoesNotUnderstandIt() throws SQLException {
        wallets.autoCommit(connection -> Wallets.number(connection, """
                        WITH free AS (
                          SELECT id FROM seat WHERE NOT taken ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
                        ), done AS (
                          UPDATE ONLY seat AS s SET taken = true FROM free WHERE s.id = free.id RETURNING s.id
                        )
                        SELECT id FROM done
                        """));

        assertThat(found()).isEmpty();
    }

    @Test
    void claimInOneStatementMayCommitByItself() throws SQLException {
        wallets.autoCommit(connection -> Wallets.number(connection, """
                        UPDATE seat SET taken = true
                        WHERE id = (SELECT id FROM seat WHERE NOT taken ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
                        RETURNING id
                        """));

        assertThat(found()).isEmpty();
    }

    // lock-not-sent

    @Test
    void lockThatDoesNotReachTheSqlIsFound() throws SQLException {
        wallets.inTransaction(connection -> {
            try (ExpectedLock expected = ExpectedLock.on("wallet")) {
                assertThat(expected).isNotNull();
                Wallets.number(connection, READ, 1);
            }
        });

        assertThat(only(LOCK_NOT_SENT).table()).isEqualTo("wallet");
    }

    @Test
    void lockThatIsSentOrNotExpectedIsNot() throws SQLException {
        wallets.inTransaction(connection -> {
            try (ExpectedLock expected = ExpectedLock.on("wallet")) {
                assertThat(expected).isNotNull();
                Wallets.number(connection, "SELECT id FROM seat WHERE id = 1");
                Wallets.number(connection, LOCK, 1);
                // The expectation has been met.
                Wallets.number(connection, READ, 1);
            }
            Wallets.number(connection, READ, 1);
        });

        assertThat(found()).isEmpty();
    }

    // wide-lock

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT id FROM seat FOR UPDATE",
                "SELECT id FROM seat ORDER BY id FOR SHARE",
                "SELECT id FROM seat WHERE NOT taken FOR UPDATE",
                "SELECT id FROM seat ORDER BY id LIMIT 150 FOR UPDATE"
            })
    void wideLockIsFound(String sql) throws SQLException {
        wallets.inTransaction(connection -> Wallets.number(connection, sql));

        assertThat(only(WIDE_LOCK).table()).isEqualTo("seat");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT id FROM seat",
                "SELECT id FROM seat WHERE id <= 100 FOR UPDATE",
                "SELECT id FROM seat ORDER BY id LIMIT 5 FOR UPDATE",
                "SELECT id FROM wallet WHERE id IN (1, 2) ORDER BY id FOR UPDATE"
            })
    void narrowLockIsNot(String sql) throws SQLException {
        wallets.inTransaction(connection -> Wallets.number(connection, sql));

        assertThat(found()).isEmpty();
    }

    // read-then-write

    @Test
    void writeOnAnUnlockedReadIsFound() throws SQLException {
        for (int id = 1; id <= 2; id++) {
            wallets.chargeUnlocked(id, 80);
        }

        Finding finding = only(READ_THEN_WRITE);
        assertThat(finding.count()).isEqualTo(2);
        assertThat(finding.evidence()).extracting(Finding.Evidence::sql).containsExactly(READ, WRITE);
    }

    @Test
    void writeOnAReadThatCommittedByItselfIsFound() throws SQLException {
        wallets.autoCommit(connection -> Wallets.number(connection, READ, 1));
        wallets.autoCommit(connection -> Wallets.update(connection, WRITE, 20, 1));

        only(READ_THEN_WRITE);
    }

    @Test
    void readLongAgoIsNotWhatTheWriteRestsOn() throws SQLException {
        wallets.autoCommit(connection -> Wallets.number(connection, READ, 1));
        clock.addAndGet(Duration.ofSeconds(2).toNanos());
        wallets.autoCommit(connection -> Wallets.update(connection, WRITE, 20, 1));

        assertThat(found()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            SELECT balance FROM wallet WHERE id = 1            | UPDATE wallet SET state = 'closed' WHERE id = 1
            SELECT * FROM public.wallet w WHERE w.id = 1       | UPDATE wallet SET balance = 20, state = 'x' WHERE id = 1
            SELECT * FROM wallet WHERE id IN (1, 2)            | UPDATE wallet SET balance = 20 WHERE (id) = 1::int
            SELECT * FROM wallet WHERE id = 1 AND state = 'open' | UPDATE wallet SET balance = 20 WHERE id = 1
            SELECT stock FROM product WHERE id = 1             | UPDATE product SET stock = 5, version = version + 1 WHERE id = 1
            """)
    void otherFormsOfItAreFound(String read, String write) throws SQLException {
        wallets.inTransaction(connection -> {
            Wallets.number(connection, read);
            Wallets.update(connection, write);
        });

        only(READ_THEN_WRITE);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            SELECT * FROM wallet WHERE id = 1                  | UPDATE wallet SET balance = balance - 80 WHERE id = 1
            SELECT * FROM wallet WHERE id = 1                  | UPDATE wallet SET balance = 20 WHERE id = 1 AND balance = 100
            SELECT * FROM wallet WHERE id = 1                  | UPDATE wallet SET balance = 20 WHERE id = 1 AND balance >= 80
            SELECT * FROM product WHERE id = 1                 | UPDATE product SET stock = 5, version = 2 WHERE id = 1 AND version = 1
            SELECT * FROM wallet WHERE id = 1 FOR UPDATE       | UPDATE wallet SET balance = 20 WHERE id = 1
            SELECT * FROM wallet WHERE id = 1 FOR NO KEY UPDATE | UPDATE wallet SET balance = 20 WHERE id = 1
            SELECT * FROM wallet WHERE id = 2                  | UPDATE wallet SET balance = 20 WHERE id = 1
            SELECT * FROM product WHERE id = 1                 | UPDATE wallet SET balance = 20 WHERE id = 1
            SELECT count(*) FROM wallet                        | UPDATE wallet SET balance = 20 WHERE id = 1
            """)
    void guardVersionRelativeValueOrLockIsEnough(String read, String write) throws SQLException {
        wallets.inTransaction(connection -> {
            Wallets.number(connection, read);
            Wallets.update(connection, write);
        });

        assertThat(found()).isEmpty();
    }

    @Test
    void lockBeforeTheReadIsEnough() throws SQLException {
        wallets.inTransaction(connection -> {
            Wallets.number(connection, "SELECT 1 FROM wallet WHERE id = ? FOR UPDATE", 1);
            Wallets.number(connection, READ, 1);
            Wallets.update(connection, WRITE, 20, 1);
        });

        assertThat(found()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
    void databaseFindsItItselfAtHigherLevels(int isolation) throws SQLException {
        wallets.inTransaction(isolation, connection -> {
            Wallets.number(connection, READ, 1);
            Wallets.update(connection, WRITE, 20, 1);
        });

        assertThat(found()).isEmpty();
    }

    // one-path-locks

    @Test
    void pathWithoutTheLockOfTheOtherIsFound() throws SQLException {
        wallets.charge(1, 10);
        wallets.chargeUnlocked(2, 10);

        assertThat(found()).containsExactlyInAnyOrder(READ_THEN_WRITE, ONE_PATH_LOCKS);
        assertThat(audit.findings())
                .filteredOn(finding -> finding.hazard() == ONE_PATH_LOCKS)
                .singleElement()
                .satisfies(finding -> assertThat(finding.evidence())
                        .extracting(Finding.Evidence::sql)
                        .containsExactly(LOCK, WRITE, READ, WRITE));
    }

    @Test
    void pathWithAGuardNeedsNoLock() throws SQLException {
        wallets.charge(1, 10);
        wallets.inTransaction(connection -> {
            Wallets.number(connection, READ, 1);
            Wallets.update(connection, "UPDATE wallet SET balance = balance - 10 WHERE id = 1 AND balance >= 10");
        });

        assertThat(found()).isEmpty();
    }

    // lock-order

    private void lockRows(int... ids) throws SQLException {
        wallets.inTransaction(connection -> {
            for (int id : ids) {
                Wallets.number(connection, LOCK, id);
            }
        });
    }

    @Test
    void oppositeOrdersAreFoundAlthoughNobodyWaited() throws SQLException {
        lockRows(1, 2);
        lockRows(2, 1);

        assertThat(only(LOCK_ORDER).what())
                .isEqualTo("one transaction locks wallet{id=[1]} and then wallet{id=[2]},"
                        + " one transaction locks wallet{id=[2]} and then wallet{id=[1]}");
    }

    @Test
    void cycleOfThreeIsFound() throws SQLException {
        lockRows(1, 2);
        lockRows(2, 3);
        lockRows(3, 1);

        assertThat(only(LOCK_ORDER).evidence()).hasSize(6);
    }

    @Test
    void oppositeOrdersOfTablesAreFoundWhateverTheRows() throws SQLException {
        wallets.inTransaction(connection -> {
            Wallets.update(connection, "UPDATE wallet SET balance = balance - 1 WHERE id = 1");
            Wallets.update(connection, "UPDATE seat SET taken = true WHERE id = 1");
        });
        wallets.inTransaction(connection -> {
            Wallets.update(connection, "UPDATE seat SET taken = true WHERE id = 2");
            Wallets.number(connection, LOCK, 2);
        });

        only(LOCK_ORDER);
    }

    @Test
    void oneOrderIsNone() throws SQLException {
        lockRows(1, 2);
        lockRows(1, 2, 3);
        lockRows(2, 3);
        lockRows(1, 3, 1);

        assertThat(found()).isEmpty();
    }

    @Test
    void sortedLocksOfOneStatementAreNone() throws SQLException {
        for (String ids : List.of("1, 2", "2, 1")) {
            wallets.inTransaction(connection -> Wallets.number(
                    connection, "SELECT id FROM wallet WHERE id IN (" + ids + ") ORDER BY id FOR UPDATE"));
        }

        assertThat(found()).isEmpty();
    }

    @Test
    void lockThatAllTakeFirstKeepsThemApart() throws SQLException {
        lockRows(9, 1, 2);
        lockRows(9, 2, 1);

        assertThat(found()).isEmpty();
    }

    @Test
    void sharedLocksDoNotWaitForEachOther() throws SQLException {
        for (List<Integer> ids : List.of(List.of(1, 2), List.of(2, 1))) {
            wallets.inTransaction(connection -> {
                for (int id : ids) {
                    Wallets.number(connection, READ + " FOR SHARE", id);
                }
            });
        }

        assertThat(found()).isEmpty();
    }

    @Test
    void lockThatDoesNotWaitIsInNoCycle() throws SQLException {
        lockRows(1, 2);
        wallets.inTransaction(connection -> {
            Wallets.number(connection, LOCK, 2);
            Wallets.number(connection, LOCK + " NOWAIT", 1);
        });

        assertThat(found()).isEmpty();
    }

    // zero-rows-committed

    @Test
    void writeOfNothingThatIsCommittedIsFound() throws SQLException {
        wallets.inTransaction(connection -> Wallets.update(
                connection, "UPDATE product SET stock = 1, version = 8 WHERE id = ? AND version = ?", 1, 7));

        only(ZERO_ROWS_COMMITTED);
    }

    @Test
    void writeOfNothingThatCommitsByItselfIsFound() throws SQLException {
        wallets.autoCommit(connection -> Wallets.update(connection, "DELETE FROM wallet WHERE id = 99"));

        only(ZERO_ROWS_COMMITTED);
    }

    @Test
    void writeOfNothingThatIsRolledBackOrLookedAfterIsNot() throws SQLException {
        String write = "UPDATE wallet SET balance = balance - 200 WHERE id = 1 AND balance >= 200";
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> wallets.inTransaction(connection -> {
                    assertThat(Wallets.update(connection, write)).isZero();
                    throw new IllegalStateException("insufficient");
                }));
        wallets.inTransaction(connection -> {
            Wallets.update(connection, write);
            Wallets.number(connection, READ, 1);
        });
        wallets.inTransaction(connection -> {
            Wallets.update(connection, "UPDATE wallet SET balance = balance + 1 WHERE id = 77");
            Wallets.update(connection, "INSERT INTO wallet VALUES (77, 1)");
        });
        wallets.autoCommit(connection -> Wallets.update(connection, "DELETE FROM entry"));

        assertThat(found()).isEmpty();
    }

    // long-hold

    private void hold(String first, Duration away) throws SQLException {
        wallets.inTransaction(connection -> {
            Wallets.number(connection, first);
            clock.addAndGet(away.toNanos());
        });
    }

    @Test
    void lockThatIsHeldWhileTheProgramIsAwayIsFound() throws SQLException {
        hold("SELECT balance FROM wallet WHERE id = 1 FOR UPDATE", Duration.ofMillis(101));

        assertThat(only(LONG_HOLD).what()).contains("101 ms");
    }

    @Test
    void timeWithoutALockOrWithinTheLimitIsNot() throws SQLException {
        hold("SELECT balance FROM wallet WHERE id = 1 FOR UPDATE", Duration.ofMillis(100));
        hold("SELECT balance FROM wallet WHERE id = 1", Duration.ofSeconds(10));
        wallets.inTransaction(connection -> {
            Wallets.number(connection, READ, 1);
            clock.addAndGet(Duration.ofSeconds(10).toNanos());
            Wallets.number(connection, LOCK, 1);
        });

        assertThat(found()).isEmpty();
    }

    // skip-locked-decision

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT count(*) FROM (SELECT 1 FROM seat WHERE NOT taken LIMIT 9 FOR UPDATE SKIP LOCKED) AS s",
                "SELECT EXISTS (SELECT 1 FROM seat WHERE id = 1 FOR UPDATE SKIP LOCKED)::int",
                "WITH s AS (SELECT id FROM seat LIMIT 9 FOR UPDATE SKIP LOCKED) SELECT sum(id) FROM s"
            })
    void countOverSkippedRowsIsFound(String sql) throws SQLException {
        wallets.inTransaction(connection -> Wallets.number(connection, sql));

        only(SKIP_LOCKED_DECISION);
    }

    @Test
    void insertBecauseNothingWasSeenIsFound() throws SQLException {
        wallets.inTransaction(connection -> {
            Wallets.number(connection, LOCK + " SKIP LOCKED", 55);
            Wallets.update(connection, "INSERT INTO wallet VALUES (55, 0)");
        });

        only(SKIP_LOCKED_DECISION);
    }

    @Test
    void claimOfWhatIsFreeIsNot() throws SQLException {
        wallets.inTransaction(connection -> {
            Wallets.number(
                    connection, "SELECT id FROM seat WHERE NOT taken ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED");
            Wallets.update(connection, "UPDATE seat SET taken = true WHERE id = 1");
            Wallets.number(connection, LOCK + " SKIP LOCKED", 55);
            Wallets.update(connection, "INSERT INTO entry VALUES ('nothing to do')");
            Wallets.number(connection, "SELECT count(*) FROM (SELECT 1 FROM seat LIMIT 9 FOR UPDATE) AS s");
        });

        assertThat(found()).isEmpty();
    }

    // share-lock-upgrade

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            FOR SHARE     | UPDATE wallet SET balance = balance - 1 WHERE id = 1
            FOR SHARE     | DELETE FROM wallet WHERE id = 1
            FOR SHARE     | SELECT id FROM wallet WHERE id = 1 FOR UPDATE
            FOR KEY SHARE | DELETE FROM wallet WHERE id = 1
            FOR KEY SHARE | UPDATE wallet SET id = 55 WHERE id = 1
            FOR KEY SHARE | SELECT id FROM wallet WHERE id = 1 FOR UPDATE
            """)
    void upgradeIsFound(String lock, String then) throws SQLException {
        wallets.inTransaction(connection -> {
            Wallets.number(connection, "SELECT id FROM wallet WHERE id = ? " + lock, 1);
            Wallets.execute(connection, then);
        });

        only(SHARE_LOCK_UPGRADE);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            FOR SHARE     | UPDATE wallet SET balance = balance - 1 WHERE id = 2
            FOR KEY SHARE | UPDATE wallet SET balance = balance - 1 WHERE id = 1
            FOR UPDATE    | DELETE FROM wallet WHERE id = 1
            FOR SHARE     | SELECT id FROM wallet WHERE id = 1 FOR KEY SHARE
            """)
    void lockThatIsStrongEnoughOrOfAnotherRowIsNot(String lock, String then) throws SQLException {
        wallets.inTransaction(connection -> {
            Wallets.number(connection, "SELECT id FROM wallet WHERE id = ? " + lock, 1);
            Wallets.execute(connection, then);
        });

        assertThat(found()).isEmpty();
    }

    // version-skipped

    @ParameterizedTest
    @ValueSource(
            strings = {"UPDATE product SET stock = stock - 1", "UPDATE product SET stock = stock - 1 WHERE id IN (1, 2)"
            })
    void updateThatSkipsTheVersionIsFound(String sql) throws SQLException {
        wallets.inTransaction(connection -> Wallets.update(connection, sql));

        assertThat(only(VERSION_SKIPPED).what()).contains("its column version");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE product SET stock = stock - 1, version = version + 1",
                "UPDATE product SET stock = stock - 1 WHERE id = 1 AND version = 1",
                "UPDATE wallet SET balance = balance - 1"
            })
    void updateThatRaisesOrChecksItIsNot(String sql) throws SQLException {
        wallets.inTransaction(connection -> Wallets.update(connection, sql));

        assertThat(found()).isEmpty();
    }

    // all of them

    @Test
    void hiddenValuesAreEnough() throws SQLException {
        Audit hidden = Audit.builder().build();
        Wallets hiding = new Wallets(
                Trace.builder().hidingValues().listener(hidden).build().over(TestServer.dataSource()));
        hiding.chargeUnlocked(1, 10);

        assertThat(hidden.findings()).extracting(Finding::hazard).containsExactly(READ_THEN_WRITE);
    }

    @Test
    void findingReadsWell() throws SQLException {
        wallets.chargeUnlocked(1, 10);
        trace.flush();

        assertThat(audit.findings().get(0).toString().replaceAll("java:\\d+", "java:N"))
                .isEqualTo("""
                        read-then-write: a row of wallet is read without a lock and then overwritten
                            SELECT balance FROM wallet WHERE id = ?
                              at dev.rowlock.watch.audit.AuditTest.findingReadsWell(AuditTest.java:N)
                            UPDATE wallet SET balance = ? WHERE id = ?
                              at dev.rowlock.watch.audit.AuditTest.findingReadsWell(AuditTest.java:N)
                          Why it hurts: Whoever writes the row between the two statements is overwritten: a lost update.
                          Instead: Lock the row when it is read (FOR NO KEY UPDATE), let the database work the value out (n = n - ?) under a guard, or check a version.""");
    }

    @Test
    void limitsMustBePositive() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Audit.builder().wideLockRows(0))
                .withMessageContaining("wideLockRows");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Audit.builder().longHold(Duration.ZERO))
                .withMessageContaining("longHold");
    }
}
