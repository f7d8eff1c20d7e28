package dev.rowlock.spring.watch;

import dev.rowlock.spring.actuate.RowlockEndpointContributor;
import dev.rowlock.watch.waits.LockSnapshot;
import dev.rowlock.watch.waits.LockWaits;
import dev.rowlock.watch.waits.Session;
import dev.rowlock.watch.waits.Wait;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for whom right now: as much as the role of the data source may see, and the 50 longest waits at most. A snapshot takes a
 * connection and up to 5 s.
 */
final class LockWaitsContributor implements RowlockEndpointContributor {
    private static final int MOST_WAITS = 50;

    private final LockWaits waits;

    LockWaitsContributor(LockWaits waits) {
        this.waits = waits;
    }

    @Override
    public String name() {
        return "lockWaits";
    }

    @Override
    public Map<String, ?> details() {
        LockSnapshot now = snapshot();
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("takenAt", now.takenAt().toString());
        details.put("waiting", now.waits().size());
        now.longest().ifPresent(age -> details.put("longestMillis", age.toMillis()));
        details.put("deadlocks", now.deadlocks());
        details.put("complete", now.complete());
        details.put("roots", now.roots().stream().limit(MOST_WAITS).toList());
        details.put(
                "waits",
                now.waits().stream()
                        .limit(MOST_WAITS)
                        .map(wait -> describe(wait, now))
                        .toList());
        return details;
    }

    private LockSnapshot snapshot() {
        try {
            return waits.snapshot();
        } catch (SQLException e) {
            throw new IllegalStateException("the server did not tell who waits for whom", e);
        }
    }

    private static Map<String, Object> describe(Wait wait, LockSnapshot now) {
        Map<String, Object> one = new LinkedHashMap<>(session(wait.pid(), now));
        one.put("waitsFor", wait.lock().describe());
        putMillis(one, "ageMillis", wait.age());
        List<Map<String, Object>> blockers = wait.blockers().stream()
                .limit(MOST_WAITS)
                .map(pid -> session(pid, now))
                .toList();
        one.put("blockers", blockers);
        return one;
    }

    private static Map<String, Object> session(int pid, LockSnapshot now) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("pid", pid);
        Session session = now.session(pid).orElse(null);
        if (session != null) {
            put(one, "application", session.application());
            put(one, "state", session.state());
            putMillis(one, "transactionMillis", session.transactionAge());
            put(one, "sql", session.sql());
        }
        return one;
    }

    private static void put(Map<String, Object> to, String name, @Nullable Object value) {
        if (value != null) {
            to.put(name, value);
        }
    }

    private static void putMillis(Map<String, Object> to, String name, @Nullable Duration age) {
        put(to, name, age == null ? null : age.toMillis());
    }
}
