package dev.rowlock.counter;

import dev.rowlock.Rowlock;
import dev.rowlock.Tx;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** What all views of one counter have in common. */
final class Shared {
    private final Rowlock rowlock;
    private final Rules declared;
    private final Batch batch;
    private final Combiner combiner;
    private final SafeCounterListener listener;
    /** With what the database says of the columns; null until it was asked. Asking twice does no harm. */
    private volatile @Nullable Rules checked;

    Shared(Rowlock rowlock, Rules declared, Combiner.Limits limits, Executor executor, CounterListener listener) {
        this.rowlock = rowlock;
        this.declared = declared;
        this.batch = new Batch(rowlock, this::rules);
        this.listener = new SafeCounterListener(listener, declared.table());
        this.combiner = new Combiner(limits, executor, this::run);
    }

    Rowlock rowlock() {
        return rowlock;
    }

    /** Carries requests out in one transaction and tells of it. Never throws. */
    List<Outcome> run(List<Request> requests) {
        return listener.telling(requests, batch::run);
    }

    SafeCounterListener listener() {
        return listener;
    }

    Combiner combiner() {
        return combiner;
    }

    Rules rules() {
        Rules known = checked;
        return known != null ? known : rowlock.call(this::rules);
    }

    Rules rules(Tx tx) {
        Rules known = checked;
        if (known == null) {
            known = declared.checked(tx);
            checked = known;
        }
        return known;
    }
}
