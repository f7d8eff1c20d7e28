package dev.rowlock.prover.engine;

import java.util.List;
import java.util.Locale;

/** What exploring a race came to. */
public sealed interface Verdict {
    /** Every schedule was run and none was bad. */
    record Proved() implements Verdict {}

    /**
     * A bad schedule exists.
     *
     * @param execution the bad one that is easiest to read: fewest switches, then first found
     * @param anomaly what kind of bad
     * @param why what is bad about it, in a sentence
     * @param culprits the places in {@link Execution#steps} of the two statements that make it; empty where it takes more than
     *     two, or none in particular
     */
    record Violated(Execution execution, Anomaly anomaly, String why, List<Integer> culprits) implements Verdict {
        public Violated {
            culprits = List.copyOf(culprits);
        }
    }

    /** In which way a schedule is bad. */
    enum Anomaly {
        /** An actor wrote over another's committed change what it had computed from what was there before. */
        LOST_UPDATE,
        /** Two actors each read what the other then changed: either alone was right. */
        WRITE_SKEW,
        /** The same with rows that were not there yet when they were looked for. */
        PHANTOM,
        /** An actor saw one part of the data before another's commit and one after it. */
        READ_SKEW,
        /** An actor failed in a way in which it fails in no serial order. */
        UNEXPECTED_ERROR,
        /** No serial order of the actors that did not abort comes to the same outcome, in none of the ways above. */
        NON_SERIALIZABLE,
        /** The outcome is serial, but an invariant does not hold: the actors break it without any race. */
        BROKEN_INVARIANT,
        /** An actor ended as the victim of a deadlock. */
        DEADLOCK;

        /** In small letters with hyphens, as in JSON. */
        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * None was found, and not all were run.
     *
     * @param reasons why not, at least one
     */
    record Undecided(List<String> reasons) implements Verdict {
        public Undecided {
            reasons = List.copyOf(reasons);
        }
    }
}
