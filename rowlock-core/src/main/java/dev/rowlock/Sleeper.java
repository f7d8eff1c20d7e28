package dev.rowlock;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Waits between two attempts. Replace it in tests; see {@link Rowlock.Builder#sleeper}. */
@FunctionalInterface
public interface Sleeper {
    /** Returns after the given time, or throws if the thread is interrupted meanwhile. */
    void sleep(Duration time) throws InterruptedException;

    /** Lets the thread sleep for real. */
    Sleeper SYSTEM = time -> TimeUnit.NANOSECONDS.sleep(time.toNanos());
}
