package dev.rowlock.watch.waits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.rowlock.watch.waits.LockedThing.Kind;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every way in which one session can wait for another is seen, by a superuser and by a role that may see little. */
class LockWaitsTest {
    private static EmbeddedPostgres server;

    private final List<Client> clients = new ArrayList<>();
    private LockWaits waits;

    @BeforeAll
    static void start() throws IOException, SQLException {
        server = EmbeddedPostgres.builder()
                .setServerConfig("max_prepared_transactions", "2")
                // A ring stays until a session asks for less.
                .setServerConfig("deadlock_timeout", "10min")
                .start();
        try (Client admin = Client.open(server, "admin")) {
            admin.run(
                    "CREATE SCHEMA shop",
                    "CREATE TABLE shop.\"Order line\" (region text, no int, n int, PRIMARY KEY (no, region))",
                    "INSERT INTO shop.\"Order line\" VALUES ('north', 1, 0), ('south', 2, 0)",
                    "CREATE TABLE wallet (id bigint PRIMARY KEY, balance int NOT NULL)",
                    "INSERT INTO wallet SELECT n, 100 FROM generate_series(1, 9) n",
                    "CREATE TABLE keyless (n int)",
                    "INSERT INTO keyless VALUES (1)",
                    "CREATE ROLE clerk LOGIN",
                    "CREATE ROLE watcher LOGIN",
                    "CREATE DATABASE elsewhere");
        }
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    @BeforeEach
    void look() {
        waits = LockWaits.of(server.getPostgresDatabase());
    }

    @AfterEach
    void closeAll() throws SQLException {
        for (Client client : clients) {
            client.close();
        }
    }

    private Client client(String application) throws SQLException {
        Client client = Client.open(server, application);
        clients.add(client);
        return client;
    }

    private Client holding(String sql) throws SQLException {
        return client("holder").run("BEGIN", sql);
    }

    private Client waiting(String sql) throws SQLException {
        Client waiter = client("waiter").run("BEGIN");
        waiter.block(sql);
        return waiter;
    }

    private LockedThing only(LockSnapshot snapshot) {
        assertThat(snapshot.waits()).hasSize(1);
        return snapshot.waits().get(0).lock();
    }

    @Test
    void nobodyWaits() throws SQLException {
        holding("UPDATE wallet SET balance = 1 WHERE id = 7");

        LockSnapshot snapshot = waits.snapshot();

        assertThat(snapshot.waits()).isEmpty();
        assertThat(snapshot.sessions()).isEmpty();
        assertThat(snapshot.longest()).isEmpty();
        assertThat(snapshot.complete()).isTrue();
        assertThat(snapshot.database()).isEqualTo("postgres");
    }

    @Test
    void writersOfOneRowAreToldWithItsKey() throws SQLException {
        Client holder = holding("UPDATE wallet SET balance = 1 WHERE id = 7");
        Client waiter = waiting("UPDATE wallet SET balance = 2 WHERE id = 7");

        LockSnapshot snapshot = waits.snapshot();

        assertThat(snapshot.roots()).containsExactly(holder.pid());
        Wait wait = snapshot.waitOf(waiter.pid()).orElseThrow();
        assertThat(wait.blockers()).containsExactly(holder.pid());
        assertThat(wait.lock())
                .isEqualTo(new LockedThing(
                        Kind.ROW, "FOR NO KEY UPDATE", "wallet", wait.lock().ctid(), Map.of("id", "7"), null));
        assertThat(wait.lock().describe()).isEqualTo("row id=7 of wallet (FOR NO KEY UPDATE)");
        assertThat(snapshot.longest()).hasValue(wait.age());
        assertThat(snapshot.blockedBy(holder.pid())).containsExactly(wait);

        Session blocking = snapshot.session(holder.pid()).orElseThrow();
        assertThat(blocking.application()).isEqualTo("holder");
        assertThat(blocking.user()).isEqualTo("postgres");
        assertThat(blocking.client()).isEqualTo("127.0.0.1");
        assertThat(blocking.state()).isEqualTo("idle in transaction");
        assertThat(blocking.sql()).isEqualTo("UPDATE wallet SET balance = 1 WHERE id = 7");
        assertThat(blocking.transactionAge()).isPositive();
        assertThat(blocking.stateAge()).isPositive();
        assertThat(snapshot.session(waiter.pid()).orElseThrow().state()).isEqualTo("active");
    }

    @ParameterizedTest
    @ValueSource(strings = {"FOR UPDATE", "FOR NO KEY UPDATE", "FOR SHARE", "FOR KEY SHARE"})
    void strengthIsTold(String strength) throws SQLException {
        holding("SELECT 1 FROM wallet WHERE id = 3 FOR UPDATE");
        waiting("SELECT 1 FROM wallet WHERE id = 3 " + strength);

        assertThat(only(waits.snapshot()).mode()).isEqualTo(strength);
    }

    @Test
    void keyOfSeveralColumnsIsToldInItsOrder() throws SQLException {
        holding("DELETE FROM shop.\"Order line\" WHERE no = 2");
        waiting("UPDATE shop.\"Order line\" SET n = 1 WHERE no = 2");

        LockedThing lock = only(waits.snapshot());

        assertThat(lock.describe()).isEqualTo("row no=2 region=south of shop.\"Order line\" (FOR NO KEY UPDATE)");
    }

    @Test
    void rowWithoutKeyIsToldByItsPlace() throws SQLException {
        holding("UPDATE keyless SET n = 2");
        waiting("DELETE FROM keyless");

        LockedThing lock = only(waits.snapshot());

        assertThat(lock.key()).isEmpty();
        assertThat(lock.describe()).matches("row \\(0,\\d+\\) of keyless \\(FOR UPDATE\\)");
    }

    @Test
    void queueIsTold() throws SQLException {
        Client holder = holding("UPDATE wallet SET balance = 1 WHERE id = 5");
        Client first = waiting("UPDATE wallet SET balance = 2 WHERE id = 5");
        Client second = waiting("UPDATE wallet SET balance = 3 WHERE id = 5");

        LockSnapshot snapshot = waits.snapshot();

        assertThat(snapshot.roots()).containsExactly(holder.pid());
        assertThat(snapshot.waits()).extracting(Wait::pid).containsExactly(first.pid(), second.pid());
        Wait behind = snapshot.waitOf(second.pid()).orElseThrow();
        assertThat(behind.blockers()).containsExactly(first.pid());
        assertThat(behind.lock().key()).isEqualTo(Map.of("id", "5"));
    }

    @Test
    void twoSharersBlockOneWriter() throws SQLException {
        Client one = holding("SELECT 1 FROM wallet WHERE id = 4 FOR SHARE");
        Client other = holding("SELECT 1 FROM wallet WHERE id = 4 FOR SHARE");
        Client waiter = waiting("UPDATE wallet SET balance = 2 WHERE id = 4");

        LockSnapshot snapshot = waits.snapshot();

        assertThat(snapshot.roots()).contains(one.pid()).doesNotContain(waiter.pid());
        assertThat(snapshot.sessions())
                .extracting(Session::pid)
                .containsAnyOf(one.pid(), other.pid())
                .contains(waiter.pid());
    }

    @Test
    void insertOfSameKeyWaitsForTheTransaction() throws SQLException {
        Client holder = holding("INSERT INTO wallet VALUES (50, 1)");
        waiting("INSERT INTO wallet VALUES (50, 2)");

        LockSnapshot snapshot = waits.snapshot();

        assertThat(only(snapshot).kind()).isEqualTo(Kind.TRANSACTION);
        assertThat(only(snapshot).detail()).matches("\\d+");
        assertThat(snapshot.roots()).containsExactly(holder.pid());
    }

    @Test
    void wholeTableIsToldAndItsRowsAreNotAskedFor() throws SQLException {
        holding("UPDATE wallet SET balance = 1 WHERE id = 7");
        Client writer = waiting("UPDATE wallet SET balance = 2 WHERE id = 7");
        Client locker = waiting("LOCK TABLE wallet");

        LockSnapshot snapshot = waits.snapshot();

        LockedThing table = snapshot.waitOf(locker.pid()).orElseThrow().lock();
        assertThat(table.describe()).isEqualTo("relation wallet (AccessExclusiveLock)");
        LockedThing row = snapshot.waitOf(writer.pid()).orElseThrow().lock();
        assertThat(row.relation()).isEqualTo("wallet");
        assertThat(row.key())
                .as("whoever reads the table stands in line behind the locker")
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-5", "1, -2", "9223372036854775807"})
    void advisoryLocksAreToldAsTheyWereAskedFor(String key) throws SQLException {
        holding("SELECT pg_advisory_xact_lock(" + key + ")");
        waiting("SELECT pg_advisory_xact_lock(" + key + ")");

        assertThat(only(waits.snapshot()).describe()).isEqualTo("advisory lock " + key + " (ExclusiveLock)");
    }

    @Test
    void preparedTransactionIsNamed() throws SQLException {
        holding("UPDATE wallet SET balance = 1 WHERE id = 8").run("PREPARE TRANSACTION 'payment-17'");
        try {
            Client waiter = waiting("UPDATE wallet SET balance = 2 WHERE id = 8");

            LockSnapshot snapshot = waits.snapshot();

            assertThat(snapshot.waitOf(waiter.pid()).orElseThrow().blockers()).containsExactly(0);
            Session prepared = snapshot.session(0).orElseThrow();
            assertThat(prepared.application()).isEqualTo("payment-17");
            assertThat(prepared.state()).isEqualTo("prepared transaction");
        } finally {
            client("admin").run("ROLLBACK PREPARED 'payment-17'");
        }
    }

    @Test
    void safeSnapshotIsWaitedFor() throws SQLException {
        Client writer = client("writer")
                .run("BEGIN ISOLATION LEVEL SERIALIZABLE", "UPDATE wallet SET balance = 1 WHERE id = 1");
        Client reader = client("reader").run("BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY DEFERRABLE");
        reader.block("SELECT * FROM wallet");

        LockSnapshot snapshot = waits.snapshot();

        assertThat(only(snapshot).kind()).isEqualTo(Kind.SAFE_SNAPSHOT);
        assertThat(snapshot.roots()).containsExactly(writer.pid());
    }

    @Test
    void ringIsToldAsLongAsTheServerLeavesIt() throws SQLException {
        Client one = holding("UPDATE wallet SET balance = 1 WHERE id = 1");
        Client two = holding("UPDATE wallet SET balance = 1 WHERE id = 2");
        one.block("UPDATE wallet SET balance = 1 WHERE id = 2");
        two.block("UPDATE wallet SET balance = 1 WHERE id = 1");
        Client outside = waiting("SELECT 1 FROM wallet WHERE id = 2 FOR UPDATE");

        LockSnapshot snapshot = waits.snapshot();

        assertThat(snapshot.rings()).containsExactly(Set.of(one.pid(), two.pid()));
        assertThat(snapshot.roots()).isEmpty();
        assertThat(snapshot.waitOf(outside.pid())).isPresent();
    }

    @Test
    void deadlocksAreCounted() throws SQLException {
        long before = waits.snapshot().deadlocks();
        Client one = holding("UPDATE wallet SET balance = 1 WHERE id = 1");
        Client two = holding("UPDATE wallet SET balance = 1 WHERE id = 2");
        one.block("UPDATE wallet SET balance = 1 WHERE id = 2");
        two.run("SET deadlock_timeout = 1");

        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> two.run("UPDATE wallet SET balance = 1 WHERE id = 1"))
                .extracting(SQLException::getSQLState)
                .isEqualTo("40P01");
        // A session that idles hands in what it has counted ten seconds later.
        two.run("ROLLBACK", "SELECT pg_stat_force_next_flush()");

        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(waits.snapshot().deadlocks()).isEqualTo(before + 1));
    }

    @Test
    void relationsOfAnotherDatabaseHaveNoName() throws SQLException {
        Client holder = Client.open(server, "postgres", "elsewhere");
        clients.add(holder);
        holder.run("CREATE TABLE IF NOT EXISTS t (id int PRIMARY KEY)", "INSERT INTO t VALUES (1)", "BEGIN");
        holder.run("UPDATE t SET id = 2");
        Client waiter = Client.open(server, "postgres", "elsewhere");
        clients.add(waiter);
        waiter.block("UPDATE t SET id = 3");

        LockedThing lock = only(waits.snapshot());

        assertThat(lock.kind()).isEqualTo(Kind.ROW);
        assertThat(lock.relation()).isNull();
        assertThat(lock.key()).isEmpty();
    }

    @Test
    void roleWithoutRightsSeesWhoWaitsForWhomAndSaysThatItSeesNoMore() throws SQLException {
        Client holder = holding("UPDATE wallet SET balance = 1 WHERE id = 7");
        Client waiter = waiting("UPDATE wallet SET balance = 2 WHERE id = 7");

        LockSnapshot snapshot = seenBy("clerk");

        assertThat(snapshot.complete()).isFalse();
        Wait wait = snapshot.waitOf(waiter.pid()).orElseThrow();
        assertThat(wait.blockers()).containsExactly(holder.pid());
        assertThat(wait.age()).isPositive();
        assertThat(wait.lock().describe()).matches("row \\(\\d+,\\d+\\) of wallet \\(FOR NO KEY UPDATE\\)");
        assertThat(snapshot.session(holder.pid()).orElseThrow())
                .isEqualTo(new Session(holder.pid(), "postgres", "holder", false, null, null, null, null, null));
    }

    @Test
    void memberOfPgMonitorSeesStatementsAndWithRightsOnTheTableTheKey() throws SQLException {
        client("admin").run("GRANT pg_monitor TO watcher", "GRANT SELECT ON wallet TO watcher");
        Client holder = holding("UPDATE wallet SET balance = 1 WHERE id = 7");
        waiting("UPDATE wallet SET balance = 2 WHERE id = 7");

        LockSnapshot snapshot = seenBy("watcher");

        assertThat(snapshot.complete()).isTrue();
        assertThat(only(snapshot).key()).isEqualTo(Map.of("id", "7"));
        assertThat(snapshot.session(holder.pid()).orElseThrow().sql()).startsWith("UPDATE wallet");
    }

    private LockSnapshot seenBy(String role) throws SQLException {
        Client client = Client.open(server, role, "postgres");
        clients.add(client);
        return LockWaits.snapshot(client.connection());
    }

    @Test
    void connectionIsGivenBackAsItWas() throws SQLException {
        Client watcher = client("watcher");

        LockWaits.snapshot(watcher.connection());

        assertThat(watcher.connection().getAutoCommit()).isTrue();
        assertThat(watcher.ask("SHOW lock_timeout")).isEqualTo("0");
        assertThat(watcher.ask("SHOW statement_timeout")).isEqualTo("0");
        assertThat(watcher.ask("SHOW transaction_read_only")).isEqualTo("off");
    }

    @Test
    void connectionInsideATransactionIsRefused() throws SQLException {
        Client watcher = client("watcher");
        watcher.connection().setAutoCommit(false);

        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> LockWaits.snapshot(watcher.connection()))
                .withMessageContaining("auto-commit")
                .extracting(SQLException::getSQLState)
                .isEqualTo("25001");
    }

    @Test
    void waitEndsWithItsCause() throws Exception {
        Client holder = holding("UPDATE wallet SET balance = 1 WHERE id = 7");
        Client waiter = client("waiter");
        Future<?> step = waiter.begin("SELECT 1 FROM wallet WHERE id = 7 FOR UPDATE");
        assertThat(waits.snapshot().waits()).hasSize(1);

        holder.run("ROLLBACK");
        step.get();

        assertThat(waits.snapshot())
                .extracting(LockSnapshot::waits, InstanceOfAssertFactories.LIST)
                .isEmpty();
    }
}
