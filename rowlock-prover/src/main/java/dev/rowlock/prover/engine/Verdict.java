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
     */
    record Violated(Execution execution, Anomaly anomaly, String why) implements Verdict {}

    /** In which way a schedule is bad. */
    enum Anomaly {
        /** No serial order of the actors that did not abort comes to the same outcome. */
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
