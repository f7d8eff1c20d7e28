package dev.rowlock.watch.audit;

import java.util.Map;

/** What the user has set. */
record AuditRules(int wideLockRows, long longHoldNanos, long windowNanos, Map<String, String> versions) {
    AuditRules {
        versions = Map.copyOf(versions);
    }
}
