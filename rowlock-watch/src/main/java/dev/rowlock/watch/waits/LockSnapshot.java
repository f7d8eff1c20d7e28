package dev.rowlock.watch.waits;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Who waited for whom at one moment. The server collects its parts one after the other, so under load a session can be missing
 * that a wait names.
 *
 * @param takenAt the server's clock
 * @param database the database that was asked; waits of other databases of the same server are among the waits too, without
 *     names of their relations
 * @param deadlocks how many deadlocks the server has broken up in this database since its statistics were last reset; one
 *     is counted about a second after its victim has rolled back
 * @param complete whether this role may see everything of every session that takes part
 * @param sessions all that wait or are waited for, by process id
 * @param waits one for each session that waits, the longest first
 */
public record LockSnapshot(
        Instant takenAt, String database, long deadlocks, boolean complete, List<Session> sessions, List<Wait> waits) {
    /** Copies the lists. */
    public LockSnapshot {
        sessions = List.copyOf(sessions);
        waits = List.copyOf(waits);
    }

    /** The session with this process id. */
    public Optional<Session> session(int pid) {
        return sessions.stream().filter(session -> session.pid() == pid).findFirst();
    }

    /** What this session waits for, if it waits. */
    public Optional<Wait> waitOf(int pid) {
        return waits.stream().filter(wait -> wait.pid() == pid).findFirst();
    }

    /** Those who wait for this session, the longest first. */
    public List<Wait> blockedBy(int pid) {
        return waits.stream().filter(wait -> wait.blockers().contains(pid)).toList();
    }

    /** The sessions that others wait for and that wait for nobody: where to look first. By process id. */
    public List<Integer> roots() {
        Set<Integer> roots = new TreeSet<>();
        waits.forEach(wait -> roots.addAll(wait.blockers()));
        waits.forEach(wait -> roots.remove(wait.pid()));
        return List.copyOf(roots);
    }

    /** The longest wait; empty if nobody waits. */
    public Optional<Duration> longest() {
        return waits.stream().map(Wait::age).filter(Objects::nonNull).max(Duration::compareTo);
    }

    /**
     * Groups of sessions that all wait for each other, directly or through others: deadlocks that the server has not broken up
     * yet, which it does after {@code deadlock_timeout} (1 s by default). Process ids are in ascending order.
     */
    public List<Set<Integer>> rings() {
        return Rings.in(waits);
    }
}
