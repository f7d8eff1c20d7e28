package dev.rowlock.watch.waits;

import java.util.Map;

/**
 * Says which row lock somebody waits for. The server queues for a row with a lock whose mode stands for the row lock's strength
 * (PostgreSQL, src/backend/access/heap/heapam.c, tupleLockExtraInfo).
 */
final class RowStrength {
    private static final Map<String, String> BY_MODE = Map.of(
            "AccessShareLock", "FOR KEY SHARE",
            "RowShareLock", "FOR SHARE",
            "ExclusiveLock", "FOR NO KEY UPDATE",
            "AccessExclusiveLock", "FOR UPDATE");

    private RowStrength() {}

    static String of(String mode) {
        return BY_MODE.getOrDefault(mode, mode);
    }
}
