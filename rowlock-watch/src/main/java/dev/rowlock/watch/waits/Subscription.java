package dev.rowlock.watch.waits;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Snapshots at an interval, until closed. Closing does not wait; closing again does nothing. */
public final class Subscription implements AutoCloseable {
    private final CountDownLatch closed = new CountDownLatch(1);

    private Subscription() {}

    static Subscription start(
            LockWaits waits,
            Duration every,
            Consumer<? super LockSnapshot> listener,
            Consumer<? super SQLException> failed) {
        Subscription subscription = new Subscription();
        Thread thread = new Thread(() -> subscription.run(waits, every, listener, failed), "rowlock-lock-waits");
        thread.setDaemon(true);
        thread.start();
        return subscription;
    }

    private void run(
            LockWaits waits,
            Duration every,
            Consumer<? super LockSnapshot> listener,
            Consumer<? super SQLException> failed) {
        try {
            do {
                LockSnapshot snapshot;
                try {
                    snapshot = waits.snapshot();
                } catch (SQLException e) {
                    failed.accept(e);
                    continue;
                }
                listener.accept(snapshot);
            } while (!closed.await(every.toNanos(), TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            // Nobody has this thread but this class: whoever interrupts it wants it to end.
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
