package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Transfers from 1 to 2 meet transfers from 2 to 1. */
class TransferTest extends DatabaseTest {
    private static final Table WALLETS = Table.of("wallet", "id");
    private static final int ROUNDS = 200;

    TransferTest() {
        super(
                "CREATE TABLE wallet (id bigint PRIMARY KEY, balance bigint NOT NULL)",
                "INSERT INTO wallet VALUES (1, 1000), (2, 1000)");
    }

    @Test
    void oppositeTransfersNeverDeadlock() throws Exception {
        CyclicBarrier start = new CyclicBarrier(2);
        Future<Integer> there = threads.start(rounds(start, 1, 2, 3));
        Future<Integer> back = threads.start(rounds(start, 2, 1, 2));

        assertThat(Threads.result(there)).isEqualTo(ROUNDS);
        assertThat(Threads.result(back)).isEqualTo(ROUNDS);
        assertThat(database.number("SELECT balance FROM wallet WHERE id = 1")).isEqualTo(800);
        assertThat(database.number("SELECT balance FROM wallet WHERE id = 2")).isEqualTo(1200);
        assertThat(database.deadlocks()).isZero();
    }

    @Test
    void oppositeTransferWaitsForTheFirst() {
        Threads.Both both =
                threads.secondWaits(database, meet -> transfer(1, 2, 10, meet), meet -> transfer(2, 1, 30, meet));

        assertThat(both).isEqualTo(new Threads.Both(true, true));
        assertThat(database.number("SELECT balance FROM wallet WHERE id = 1")).isEqualTo(1020);
        assertThat(database.deadlocks()).isZero();
    }

    @Test
    void transferToTheSameWalletLocksItOnce() {
        int locked = rowlock.withLocks(WALLETS, List.of(1, 1), (tx, rows) -> rows.size());
        assertThat(locked).isEqualTo(1);
    }

    /** The broken twin: each locks its sender first. */
    @Test
    void lockingTheSenderFirstDeadlocks() throws Exception {
        try (Session there = Session.open(database);
                Session back = Session.open(database)) {
            there.run("SELECT * FROM wallet WHERE id = 1 FOR UPDATE");
            back.run("SELECT * FROM wallet WHERE id = 2 FOR UPDATE");
            Session.Step thereWaits = there.begin("SELECT id FROM wallet WHERE id = 2 FOR UPDATE");
            Session.Step backWaits = back.start("SELECT id FROM wallet WHERE id = 1 FOR UPDATE");

            assertThat(Session.endings(thereWaits, backWaits)).containsExactlyInAnyOrder("ok", "40P01");
        }
        database.awaitDeadlocks(1);
    }

    private Callable<Integer> rounds(CyclicBarrier start, long from, long to, long amount) {
        return () -> {
            int done = 0;
            for (int round = 0; round < ROUNDS; round++) {
                start.await(20, TimeUnit.SECONDS);
                done += transfer(from, to, amount, () -> {}) ? 1 : 0;
            }
            return done;
        };
    }

    private boolean transfer(long from, long to, long amount, Runnable meet) {
        return rowlock.withLocks(WALLETS, List.of(from, to), (tx, rows) -> {
            meet.run();
            if (rows.get(from).getLong("balance") < amount) {
                return false;
            }
            must(tx.update(WALLETS, from).add("balance", -amount).apply());
            must(tx.update(WALLETS, to).add("balance", amount).apply());
            return true;
        });
    }
}
