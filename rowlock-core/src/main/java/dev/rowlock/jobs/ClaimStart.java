package dev.rowlock.jobs;

import dev.rowlock.Row;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Where in the index a claim begins to look. Jobs that were taken leave dead entries behind at the front of the index, and while any
 * session holds an old snapshot PostgreSQL cannot remove them: a claim that always began at the front would scan more of them each
 * time. So most claims begin where the one before ended, for each priority.
 *
 * <p>This is only ever a hint. A job can turn up before that point: one whose transaction commits late, one that another claim had
 * locked and let go of. Those are found in two ways. A claim begins no later than the oldest transaction that was still open at the
 * one before it, up to {@link #LONGEST_OVERLAP}; and from time to time a claim looks from the very front, which finds everything. How
 * often is a matter of what it costs, see {@link FrontLooks}; in a healthy database it is every {@link #SHORTEST_INTERVAL}. Used by one thread, but for
 * {@link #lookFromFront}.
 */
final class ClaimStart {
    static final int PRIORITIES = 10;
    static final Duration SHORTEST_INTERVAL = Duration.ofMillis(200);
    static final Duration LONGEST_OVERLAP = Duration.ofSeconds(1);
    /** A job's time is read a little before its transaction gets an id. */
    private static final Duration SLACK = Duration.ofMillis(20);

    private static final int MOST_SAMPLES = 64;
    private static final Position FRONT = new Position("-infinity", 0);

    private final FrontLooks frontLooks;
    private final Position[] positions = new Position[PRIORITIES];
    private final Deque<Sample> samples = new ArrayDeque<>();
    private volatile boolean frontAsked;
    private double usualNanos = -1;

    /** A claim had this transaction id and began at that time: who has a later id has written nothing before that. */
    private record Sample(long xid, Instant at) {}

    /** A place in the index within one priority: what is behind it is looked at. */
    record Position(String runAt, long id) {}

    /** Where to begin, for each priority from 0, and whether that is the very front. */
    record Plan(List<Position> positions, boolean front) {}

    ClaimStart(LongSupplier nanoTime) {
        this.frontLooks = new FrontLooks(nanoTime, SHORTEST_INTERVAL);
        Arrays.fill(positions, FRONT);
    }

    Plan plan() {
        boolean front = frontAsked || frontLooks.isDue();
        frontAsked = false;
        return new Plan(front ? Collections.nCopies(PRIORITIES, FRONT) : List.of(positions), front);
    }

    /** Lets the next claim look from the front, for instance because a job was given back. From any thread. */
    void lookFromFront() {
        frontAsked = true;
    }

    /** Learns from what a claim returned; there is at least one row, with NULLs if nothing was claimed. */
    void claimed(Plan plan, List<Row> rows, int limit, long nanos) {
        learnCost(plan.front(), nanos);
        Row first = rows.get(0);
        Instant at = first.getInstant("at");
        boolean none = first.isNull("id");
        Instant settled = settled(at, first.getLong("oldest_xid"));
        if (!none) {
            samples.addLast(new Sample(first.getLong("own_xid"), at));
            if (samples.size() > MOST_SAMPLES) {
                samples.removeFirst();
            }
        }
        // Rows come in the order of the walk, so the last one tells how far it got.
        Row last = rows.get(rows.size() - 1);
        boolean full = !none && rows.size() >= limit;
        int reached = full ? last.getInt("priority") : PRIORITIES;
        for (int priority = 0; priority < reached; priority++) {
            begin(priority, settled, 0);
        }
        if (full) {
            Instant runAt = last.getInstant("run_at");
            if (runAt.isBefore(settled)) {
                begin(reached, runAt, last.getLong("id"));
            } else {
                begin(reached, settled, 0);
            }
        }
    }

    private void begin(int priority, Instant runAt, long id) {
        positions[priority] = new Position(runAt.toString(), id);
    }

    /** Before this time, nothing can turn up any more but by transactions that have been open for long. */
    private Instant settled(Instant at, long oldestXid) {
        Instant settled = at.minus(LONGEST_OVERLAP);
        for (Sample sample : samples) {
            Instant since = sample.at().minus(SLACK);
            if (sample.xid() < oldestXid && since.isAfter(settled)) {
                settled = since;
            }
        }
        return settled;
    }

    private void learnCost(boolean front, long nanos) {
        if (front) {
            frontLooks.looked(usualNanos < 0 ? 0 : (long) (nanos - usualNanos));
        } else {
            usualNanos = usualNanos < 0 ? nanos : 0.9 * usualNanos + 0.1 * nanos;
        }
    }
}
