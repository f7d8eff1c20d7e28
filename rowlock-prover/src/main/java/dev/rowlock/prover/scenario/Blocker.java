package dev.rowlock.prover.scenario;

/** Holds back the report that a step of a permutation has finished, so that a transcript comes out the same every time. */
public sealed interface Blocker {

    /** Where it is written. */
    Position position();

    /** Written {@code *}: the step is reported as waiting at least once, however fast it was. */
    record Any(Position position) implements Blocker {}

    /**
     * Written as a step's name: the step is not finished before that one, of another session and the same permutation, is.
     *
     * @param step the other step's name
     */
    record Step(String step, Position position) implements Blocker {}

    /**
     * Written {@code name notices N}: the step is not finished before the session of that other step has received N more
     * notices.
     *
     * @param step the name of a step of the session that receives them
     * @param count how many, counted from the start of the step that is held back; 0 or more
     */
    record Notices(String step, int count, Position position) implements Blocker {}
}
