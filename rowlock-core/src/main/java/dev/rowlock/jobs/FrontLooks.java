package dev.rowlock.jobs;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * When to look from the very front of an index again, past all the dead entries that an old snapshot may keep there. Such looks are to
 * take about a fiftieth of the time, so they are as rare as they are dear, but no rarer than every {@link #LONGEST_INTERVAL}.
 */
final class FrontLooks {
    static final Duration LONGEST_INTERVAL = Duration.ofSeconds(30);

    private static final int COST_SHARE = 50;
    /** The cheapest of so many counts: one that was slow because the machine was busy says nothing about the index. */
    private static final int SAMPLES = 3;

    private final LongSupplier nanoTime;
    private final long shortestNanos;
    private final Deque<Long> costs = new ArrayDeque<>();
    private long dueAt;

    FrontLooks(LongSupplier nanoTime, Duration shortestInterval) {
        this.nanoTime = nanoTime;
        this.shortestNanos = shortestInterval.toNanos();
        this.dueAt = nanoTime.getAsLong();
    }

    boolean isDue() {
        return nanoTime.getAsLong() - dueAt >= 0;
    }

    /** Learns what a look from the front took in addition to one that begins elsewhere. */
    void looked(long extraNanos) {
        costs.addLast(Math.max(0, extraNanos));
        if (costs.size() > SAMPLES) {
            costs.removeFirst();
        }
        long cost = costs.size() < SAMPLES ? 0 : Collections.min(costs);
        long pause = Math.max(shortestNanos, Math.min(LONGEST_INTERVAL.toNanos(), COST_SHARE * cost));
        dueAt = nanoTime.getAsLong() + pause;
    }
}
