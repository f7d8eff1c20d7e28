package dev.rowlock;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Remembers where the newest version of a row lies, for rows that are written again and again; see {@link Update#near}. Thread-safe;
 * make one for each row and keep it.
 *
 * <p>An index leads to every version of a row that some snapshot may still want, and as long as one is held that is every version
 * since: each write looks at all of them, and is slower than the one before. A place (PostgreSQL's {@code ctid}) leads to one version. If
 * that is not the newest any more, because somebody else has written the row, the key decides as always. It is a hint about the way
 * and says nothing about the row.
 */
public final class RowPlace {
    /** After so many misses in a row, a place is tried once in {@code 2^}this many writes. */
    private static final int MOST_DOUBLINGS = 10;

    private final AtomicReference<State> state = new AtomicReference<>(new State(null, 0, 0));

    /** @param skip how many writes more go by the key */
    private record State(@Nullable String place, int misses, int skip) {}

    /** Where to look first, or null if the key is to be used. */
    @Nullable
    String toTry() {
        State before =
                state.getAndUpdate(now -> now.skip() > 0 ? new State(now.place(), now.misses(), now.skip() - 1) : now);
        return before.skip() > 0 ? null : before.place();
    }

    /** The row was written and lies here now. */
    void found(@Nullable String place, boolean byPlace) {
        change(now -> new State(place, byPlace ? 0 : now.misses(), now.skip()));
    }

    /** Others write the row too: the more often that is so, the more rarely a place is worth trying. */
    void missed() {
        change(now -> {
            int misses = Math.min(now.misses() + 1, MOST_DOUBLINGS);
            return new State(null, misses, (1 << misses) - 1);
        });
    }

    private void change(UnaryOperator<State> step) {
        state.updateAndGet(step);
    }
}
