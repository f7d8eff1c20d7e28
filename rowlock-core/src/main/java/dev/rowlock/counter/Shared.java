package dev.rowlock.counter;

import dev.rowlock.Rowlock;
import dev.rowlock.Tx;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** What all views of one counter have in common. */
final class Shared {
    private final Rowlock rowlock;
    private final Rules declared;
    private final Batch batch;
    private final Combiner combiner;
    /** With what the database says of the columns; null until it was asked. Asking twice does no harm. */
    private volatile @Nullable Rules checked;

    Shared(Rowlock rowlock, Rules declared, Combiner.Limits limits, Executor executor) {
        this.rowlock = rowlock;
        this.declared = declared;
        this.batch = new Batch(rowlock, this::rules);
        this.combiner = new Combiner(limits, executor, batch::run);
    }

    Rowlock rowlock() {
        return rowlock;
    }

    Batch batch() {
        return batch;
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
