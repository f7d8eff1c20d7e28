package dev.rowlock.watch.waits;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One session waits for others. A session waits for one lock at a time.
 *
 * @param pid the session that waits
 * @param blockers the sessions that must let go first, in ascending order: those that hold the lock, and those that stand in
 *     front in the queue for it
 * @param lock what it waits for
 * @param age how long it has been waiting; null in the first moments, when the server has not noted it yet
 */
public record Wait(
        int pid,
        List<Integer> blockers,
        LockedThing lock,
        @Nullable Duration age) {
    /** Copies the list. */
    public Wait {
        blockers = List.copyOf(blockers);
    }
}
