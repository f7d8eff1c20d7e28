package dev.rowlock.jobs;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets one thread wait until it is woken or a time has passed. A wake that comes while it does not wait counts for the next wait. */
final class Signal {
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

    private final LongSupplier nanoTime;
    private final AtomicBoolean woken = new AtomicBoolean();
    private volatile @Nullable Thread waiting;

    Signal(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    void wake() {
        if (!woken.getAndSet(true)) {
            Thread thread = waiting;
            if (thread != null) {
                LockSupport.unpark(thread);
            }
        }
    }

    /** Returns whether it was woken. */
    boolean await(Duration limit) {
        long begin = nanoTime.getAsLong();
        waiting = Thread.currentThread();
        try {
            while (!woken.get()) {
                long left = limit.toNanos() - (nanoTime.getAsLong() - begin);
                if (left <= 0) {
                    return false;
                }
                LockSupport.parkNanos(this, left);
                clearInterrupt();
            }
        } finally {
            waiting = null;
        }
        woken.set(false);
        return true;
    }

    /** The threads that wait here are our own and ended by other means; an interrupt would keep them from waiting ever again. */
    private static void clearInterrupt() {
        if (Thread.interrupted()) {
            LOG.debug("an interrupt that is meant for nobody");
        }
    }
}
