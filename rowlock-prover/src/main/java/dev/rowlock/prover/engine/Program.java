package dev.rowlock.prover.engine;

import java.util.Set;

/** What an actor does. Every step that can touch shared data passes the gate first. */
public interface Program {
    /** The actor's name, unique in the race. */
    String name();

    /** Lets what it is known to do be learnt beforehand; what is learnt later makes an exploration begin anew. */
    default void foresee(Footprints footprints) {}

    /** Brings the actor's session to its starting point; called before any actor runs, in the order of the actors. */
    void prepare();

    /** Whether each run needs a new thread, which the program may keep, interrupt or ask whether it is alive. */
    default boolean needsOwnThread() {
        return false;
    }

    /** Does it all, once; must not throw for what the database answers: that is part of the result. */
    ActorResult run(Gate gate);

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
