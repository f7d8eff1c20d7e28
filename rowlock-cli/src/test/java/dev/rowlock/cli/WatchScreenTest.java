package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.watch.waits.LockSnapshot;
import dev.rowlock.watch.waits.LockedThing;
import dev.rowlock.watch.waits.LockedThing.Kind;
import dev.rowlock.watch.waits.Session;
import dev.rowlock.watch.waits.Wait;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WatchScreenTest {
    private static final LockedThing ROW =
            new LockedThing(Kind.ROW, "FOR NO KEY UPDATE", "wallet", "(0,1)", Map.of("id", "7"), null);

    private final WatchScreen screen = new WatchScreen(
            new Terminal(false, false, 100, true), ZoneOffset.UTC, "jdbc:postgresql://db/shop?user=monitor");

    private static Session session(int pid, String application, String state, @Nullable String sql) {
        return new Session(
                pid,
                "app",
                application,
                sql != null,
                "10.0.0.5",
                state,
                Duration.ofMillis(6100),
                Duration.ofMillis(6300),
                sql);
    }

    private static Wait wait(int pid, List<Integer> blockers, long millis) {
        return new Wait(pid, blockers, ROW, Duration.ofMillis(millis));
    }

    private static LockSnapshot snapshot(long deadlocks, List<Session> sessions, List<Wait> waits) {
        boolean complete = sessions.stream().allMatch(Session::visible);
        return new LockSnapshot(Instant.parse("2026-11-30T12:31:07Z"), "shop", deadlocks, complete, sessions, waits);
    }

    @Test
    void blockersStandAboveThoseWhoWaitForThem() {
        LockSnapshot snapshot = snapshot(
                2,
                List.of(
                        session(4711, "shop-api", "idle in transaction", "UPDATE wallet SET balance = 20 WHERE id = 7"),
                        session(4715, "shop-api", "active", "UPDATE wallet\n   SET balance = 30\n WHERE id = 7"),
                        session(4720, "", "active", "SELECT 1 FROM wallet WHERE id = 7 FOR NO KEY UPDATE")),
                List.of(wait(4715, List.of(4711), 4200), wait(4720, List.of(4711, 4715), 900)));

        assertThat(screen.lines(snapshot))
                .containsExactly(
                        "12:31:07  jdbc:postgresql://db/shop?user=monitor",
                        "2 sessions wait, the longest for 4.2 s   deadlocks 2",
                        "",
                        "4711  shop-api  app@10.0.0.5  idle in transaction 6.1 s, transaction 6.3 s",
                        "  UPDATE wallet SET balance = 20 WHERE id = 7",
                        "    4715  shop-api  app@10.0.0.5  active 6.1 s, transaction 6.3 s",
                        "      waits 4.2 s for row id=7 of wallet (FOR NO KEY UPDATE)",
                        "      UPDATE wallet SET balance = 30 WHERE id = 7",
                        "        4720  (no application name)  app@10.0.0.5  active 6.1 s, transaction 6.3 s",
                        "          waits 900 ms for row id=7 of wallet (FOR NO KEY UPDATE)  behind [4711, 4715]",
                        "          SELECT 1 FROM wallet WHERE id = 7 FOR NO KEY UPDATE");
    }

    @Test
    void ringIsAnnouncedAndShownAlthoughItHasNoRoot() {
        LockSnapshot snapshot = snapshot(
                0,
                List.of(session(1, "a", "active", "x"), session(2, "b", "active", "y")),
                List.of(wait(1, List.of(2), 10), wait(2, List.of(1), 5)));

        assertThat(screen.lines(snapshot))
                .contains("deadlock: [1, 2] wait for each other; PostgreSQL ends one of them soon")
                .anyMatch(line -> line.startsWith("1  a"))
                .anyMatch(line -> line.startsWith("    2  b"));
    }

    @Test
    void deadlocksSinceTheFirstSnapshotAreCounted() {
        assertThat(screen.lines(snapshot(2, List.of(), List.of()))).contains("nobody waits   deadlocks 2");
        assertThat(screen.lines(snapshot(5, List.of(), List.of()))).contains("nobody waits   deadlocks 5 (+3)");
    }

    @Test
    void whatIsHiddenIsSaidToBe() {
        Session hidden = new Session(1, "app", "shop", false, null, null, null, null, null);

        assertThat(screen.lines(snapshot(0, List.of(hidden), List.of(wait(2, List.of(1), 10)))))
                .contains("what other roles' sessions do is hidden: use a member of pg_monitor to see it")
                .contains("1  shop  app")
                .contains("    2  (has gone)");
    }

    @Test
    void nothingThatOthersWroteDrawsOnTheTerminalOrMakesALineTooLong() {
        LockSnapshot snapshot = snapshot(
                0,
                List.of(session(1, "\u001b[2Jevil", "active", "SELECT '\u001b]0;x\u0007'" + "y".repeat(500))),
                List.of(wait(2, List.of(1), 10)));

        assertThat(screen.lines(snapshot))
                .allSatisfy(line -> assertThat(line).hasSizeLessThan(100).doesNotContainPattern("\\p{Cntrl}"));
    }
}
