package dev.rowlock.watch.trace;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The stack of a thread as it sent something. To take it costs a microsecond or so; who the caller was is worked out when it is first
 * asked for, and then the stack is given up. Until then it takes some tens of bytes for each frame.
 */
public final class CallStack {
    static final CallStack NONE = new CallStack(Optional.empty());

    /** Null once the caller is known. */
    private @Nullable Unresolved unresolved;

    private Optional<Caller> caller = Optional.empty();

    private CallStack(Optional<Caller> caller) {
        this.caller = caller;
    }

    private CallStack(Unresolved unresolved) {
        this.unresolved = unresolved;
    }

    /** Of this thread, now. */
    static CallStack take(Callers callers) {
        return new CallStack(new Unresolved(callers));
    }

    /** The innermost place in it that belongs to no library; empty if there is none, or the trace does not look for callers. */
    public synchronized Optional<Caller> caller() {
        if (unresolved != null) {
            caller = unresolved.callers.find(unresolved.getStackTrace());
            unresolved = null;
        }
        return caller;
    }

    @Override
    public String toString() {
        return caller().map(Caller::toString).orElse("unknown caller");
    }

    /** The virtual machine writes down the stack of a new throwable in a form of its own, and reads it only when it is asked for. */
    private static final class Unresolved extends Throwable {
        private static final long serialVersionUID = 1L;

        private final transient Callers callers;

        Unresolved(Callers callers) {
            super(null, null, false, true);
            this.callers = callers;
        }
    }
}
