package dev.rowlock.prover.engine;

import java.util.List;

/** What exploring a race came to. */
public sealed interface Verdict {
    /** Every schedule was run and none was bad. */
    record Proved() implements Verdict {}

    /**
     * A bad schedule exists.
     *
     * @param execution the bad one that is easiest to read: fewest switches, then first found
     * @param why what is bad about it, in a sentence
     */
    record Violated(Execution execution, String why) implements Verdict {}

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
