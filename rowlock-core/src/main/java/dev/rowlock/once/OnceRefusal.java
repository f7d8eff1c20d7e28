package dev.rowlock.once;

/**
 * Thrown by the caller's function to refuse for good: all that the function did is undone, and the answer is kept under the key and
 * replayed as any other. {@link Once#run} then returns it and does not throw. A function that has written nothing can as well return
 * the answer.
 *
 * <p>In a unit of work that {@link Once#run} joined, it is an exception like any other: all is rolled back, nothing is kept, and it
 * reaches whoever opened the unit of work, because what others did in the same transaction cannot be kept apart from it.
 */
public final class OnceRefusal extends RuntimeException {
    private final transient Answer answer;

    /** With the answer to keep. */
    public OnceRefusal(Answer answer) {
        super("refused: " + answer);
        this.answer = answer;
    }

    /** The answer to keep. */
    public Answer answer() {
        return answer;
    }
}
