package dev.rowlock.cli;

import dev.rowlock.watch.waits.LockSnapshot;
import dev.rowlock.watch.waits.Session;
import dev.rowlock.watch.waits.Wait;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** A snapshot as one line of JSON; names and meanings of its members do not change. */
final class WatchJson {
    private static final JsonMapper JSON = new JsonMapper();

    private WatchJson() {}

    private record Snapshot(
            String takenAt,
            String database,
            long deadlocks,
            boolean complete,
            List<Integer> roots,
            List<? extends Collection<Integer>> rings,
            List<Waiting> waits,
            List<Somebody> sessions) {}

    private record Waiting(
            int pid,
            List<Integer> blockers,
            String kind,
            String mode,
            @Nullable String relation,
            @Nullable String ctid,
            Map<String, String> key,
            @Nullable String detail,
            @Nullable Long millis) {}

    private record Somebody(
            int pid,
            @Nullable String user,
            String application,
            boolean visible,
            @Nullable String client,
            @Nullable String state,
            @Nullable Long stateMillis,
            @Nullable Long transactionMillis,
            @Nullable String sql) {}

    static String line(LockSnapshot snapshot) {
        return JSON.writeValueAsString(new Snapshot(
                snapshot.takenAt().toString(),
                snapshot.database(),
                snapshot.deadlocks(),
                snapshot.complete(),
                snapshot.roots(),
                snapshot.rings(),
                snapshot.waits().stream().map(WatchJson::waiting).toList(),
                snapshot.sessions().stream().map(WatchJson::somebody).toList()));
    }

    private static Waiting waiting(Wait wait) {
        return new Waiting(
                wait.pid(),
                wait.blockers(),
                wait.lock().kind().toString(),
                wait.lock().mode(),
                wait.lock().relation(),
                wait.lock().ctid(),
                wait.lock().key(),
                wait.lock().detail(),
                millis(wait.age()));
    }

    private static Somebody somebody(Session session) {
        return new Somebody(
                session.pid(),
                session.user(),
                session.application(),
                session.visible(),
                session.client(),
                session.state(),
                millis(session.stateAge()),
                millis(session.transactionAge()),
                session.sql());
    }

    private static @Nullable Long millis(@Nullable Duration age) {
        return age == null ? null : age.toMillis();
    }
}
