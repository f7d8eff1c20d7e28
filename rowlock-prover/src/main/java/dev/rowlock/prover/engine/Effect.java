package dev.rowlock.prover.engine;

import dev.rowlock.prover.engine.Footprint.Resource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What letting one actor take one step did, the ends of other actors' waits included. Two of them are independent if the database
 * comes to the same state in either order.
 *
 * @param reads read without a lock
 * @param writes changed or locked
 * @param published changed or locked by a transaction that ended here: others see it from now on, and can lock it
 * @param snapshot whether a snapshot was taken that lasts for a transaction
 * @param watched whether a SERIALIZABLE transaction did something that the server's watch for dangerous structures may notice
 * @param waited whether the step had to wait: who waits last closes a cycle
 * @param unknown whether anything else may have been touched
 */
record Effect(
        Set<Resource> reads,
        Set<Resource> writes,
        Set<Resource> published,
        boolean snapshot,
        boolean watched,
        boolean waited,
        boolean unknown) {

    /** Whether the order of the two can matter. */
    boolean dependsOn(Effect other, Footprints footprints) {
        if (isNothing() || other.isNothing()) {
            return false;
        }
        return unknown
                || other.unknown
                || (waited && other.waited)
                || (watched && other.watched)
                || (snapshot && !other.published.isEmpty())
                || (other.snapshot && !published.isEmpty())
                || footprints.overlap(writes, other.writes, true)
                || shows(other, footprints)
                || other.shows(this, footprints);
    }

    private boolean shows(Effect other, Footprints footprints) {
        return footprints.overlap(published, other.reads, false) || footprints.overlap(published, other.writes, true);
    }

    private boolean isNothing() {
        return !unknown
                && !watched
                && !snapshot
                && !waited
                && reads.isEmpty()
                && writes.isEmpty()
                && published.isEmpty();
    }

    /** Gathers what was touched, over all schedules of a race, into effects; knows which transactions are open. */
    static final class Tracker {
        private final Map<Integer, Transaction> open = new HashMap<>();

        private static final class Transaction {
            private Footprint touched = Footprint.NOTHING;
            private boolean watched;
        }

        /** No transaction is open. */
        void reset() {
            open.clear();
        }

        /** Whether a transaction that has touched something is open on any other connection. */
        boolean anyOpenBesides(Set<Integer> backends) {
            return anyOpenBesides(backends, touched -> !touched.isNothing());
        }

        /**
         * Whether a step on these connections that can touch no more than this may have to wait for another actor: for the end of
         * a transaction that has written or locked the same, or for whatever it is if one of the two is not understood.
         */
        boolean mayWait(Set<Integer> backends, Footprint next) {
            return next.unknown()
                    || anyOpenBesides(
                            backends,
                            touched -> touched.unknown()
                                    || touched.writes().stream()
                                            .anyMatch(taken ->
                                                    next.writes().stream().anyMatch(taken::overlaps)));
        }

        private boolean anyOpenBesides(Set<Integer> backends, Predicate<Footprint> what) {
            return open.entrySet().stream()
                    .anyMatch(transaction ->
                            !backends.contains(transaction.getKey()) && what.test(transaction.getValue().touched));
        }

        /**
         * The effect of one choice.
         *
         * @param touches of all actors that went on, in order
         * @param waited whether the chosen step has to wait or was the victim of a deadlock
         * @param told whether every actor that went on said what it touched
         */
        Effect effect(Iterable<Touch> touches, boolean waited, boolean told) {
            Set<Resource> reads = new HashSet<>();
            Set<Resource> writes = new HashSet<>();
            Set<Resource> published = new HashSet<>();
            boolean snapshot = false;
            boolean watched = false;
            boolean unknown = !told;
            for (Touch touch : touches) {
                Transaction transaction = open.computeIfAbsent(touch.backend(), any -> new Transaction());
                boolean touchesData = !touch.footprint().isNothing();
                snapshot |=
                        touchesData && transaction.touched.isNothing() && touch.level() != Touch.Level.READ_COMMITTED;
                transaction.touched = transaction.touched.and(touch.footprint());
                transaction.watched |= touchesData && touch.level() == Touch.Level.SERIALIZABLE;
                watched |= transaction.watched && (touchesData || !touch.transactionOpen());
                unknown |= touch.footprint().unknown();
                reads.addAll(touch.footprint().reads());
                writes.addAll(touch.footprint().writes());
                if (!touch.transactionOpen()) {
                    published.addAll(transaction.touched.writes());
                    unknown |= transaction.touched.unknown();
                    open.remove(touch.backend());
                }
            }
            return new Effect(reads, writes, published, snapshot, watched, waited, unknown);
        }
    }
}
