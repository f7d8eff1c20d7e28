package dev.rowlock.service.idempotency;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Frees the space of expired keys, in portions that hold nobody up. Every instance does it; they pass over each other's. */
@Component
final class KeyCleanUp {
    private static final int PORTION = 1_000;
    private static final int MOST_PORTIONS = 50;

    private final Idempotency idempotency;

    KeyCleanUp(Idempotency idempotency) {
        this.idempotency = idempotency;
    }

    @Scheduled(initialDelayString = "PT1M", fixedDelayString = "PT1M")
    void deleteExpired() {
        for (int i = 0; i < MOST_PORTIONS; i++) {
            if (idempotency.cleanUp(PORTION) < PORTION) {
                return;
            }
        }
    }
}
