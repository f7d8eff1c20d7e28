package dev.rowlock.prover.engine;

/** What an actor does. Every step that can touch shared data passes the gate first. */
public interface Program {
    /** The actor's name, unique in the race. */
    String name();

    /** Brings the actor's session to its starting point; called before any actor runs, in the order of the actors. */
    void prepare();

    /** Does it all, once; must not throw for what the database answers: that is part of the result. */
    ActorResult run(Gate gate);

    /** The process id of the server's backend that serves this actor. */
    int backend();

    /**
     * Called before a step while the actor stands at its gate: whether it may close a cycle of waits, so that a deadlock must be
     * found at once and this actor be its victim.
     */
    void mayDeadlock(boolean may);

    /** Leaves no transaction open. */
    void finish();
}
