package dev.rowlock.prover.engine;

import java.util.Optional;
import java.util.Set;

/** What an actor does. Every step that can touch shared data is one that the controller has let go. */
public sealed interface Program permits Program.InOneGo, Program.StepByStep {
    /** One that has a thread of its own and stops in it at every gate. */
    non-sealed interface InOneGo extends Program {
        /** Does it all, once; must not throw for what the database answers: that is part of the result. */
        ActorResult run(Gate gate);
    }

    /** One that knows where it stands, so that any thread can take its next step. */
    non-sealed interface StepByStep extends Program {
        /**
         * Takes the step it stands before; the first time, comes to stand before the first one. Must not throw for what the
         * database answers: that is part of the result.
         *
         * @return the name of the step it stands before now; empty at its end
         */
        Optional<String> advance(Telling telling);

        /** What it came to; for when it is at its end. */
        ActorResult result();

        /** What the step it stands before can touch. */
        Footprint next();
    }

    /** The actor's name, unique in the race. */
    String name();

    /** Lets what it is known to do be learnt beforehand; what is learnt later makes an exploration begin anew. */
    default void foresee(Footprints footprints) {}

    /** Brings the actor's session to its starting point; called before any actor runs, in the order of the actors. */
    void prepare();

    /**
     * Whether {@link #prepare} neither sees nor changes what others see, such as BEGIN, which takes neither lock nor snapshot: it
     * is then called at the same time as others, and while the data are still being brought back.
     */
    default boolean preparesAlone() {
        return false;
    }

    /** The process ids of the server's backends that serve this actor; may grow while it runs. */
    Set<Integer> backends();

    /**
     * Called before a step while the actor stands at its gate: whether it may close a cycle of waits, so that a deadlock must be
     * found at once and this actor be its victim.
     */
    void mayDeadlock(boolean may);

    /**
     * Called when it has not come to its next gate for too long and waits for no other actor: what it does instead, as the end of
     * a sentence that says so.
     */
    default String describeBlock() {
        return "";
    }

    /** Called when its schedule cannot be run to its end: ends what it does or waits for, as far as possible. */
    default void giveUp() {}

    /** Leaves no transaction open. */
    void finish();

    /** As if its connections were closed: leaves nothing behind that others could wait for. */
    default void leave() {
        finish();
    }
}
