package dev.rowlock.prover.transcript;

import dev.rowlock.prover.scenario.Blocker;
import dev.rowlock.prover.scenario.SessionSpec;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A session of the scenario, its connection, and the step that it is in. */
final class Member {
    private final SessionSpec spec;
    private final PgSession session;
    private int notices;
    private @Nullable PlannedStep active;
    private final Map<Blocker.Notices, Integer> awaited = new HashMap<>();

    Member(SessionSpec spec, PgSession session) {
        this.spec = spec;
        this.session = session;
    }

    SessionSpec spec() {
        return spec;
    }

    String name() {
        return spec.name();
    }

    PgSession session() {
        return session;
    }

    /** How many notices it has received so far. */
    int notices() {
        return notices;
    }

    void countNotice() {
        notices++;
    }

    /** The step that has been sent and not been reported as finished. */
    @Nullable
    PlannedStep active() {
        return active;
    }

    void start(PlannedStep step) {
        active = step;
        awaited.clear();
    }

    void finish() {
        active = null;
    }

    /** Its active step is held back until another member has received that many notices in all. */
    void awaitNotices(Blocker.Notices blocker, int total) {
        awaited.put(blocker, total);
    }

    int awaitedNotices(Blocker.Notices blocker) {
        return awaited.getOrDefault(blocker, 0);
    }
}
