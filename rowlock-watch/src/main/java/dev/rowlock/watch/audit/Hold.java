package dev.rowlock.watch.audit;

import org.jspecify.annotations.Nullable;

/** How long a transaction has been outside of the database since it took its first lock. */
final class Hold {
    private @Nullable Access lock;
    private @Nullable Access last;
    private @Nullable Access beforeLongest;
    private long outside;
    private long longest;

    /** The program was away this long, before what comes now. */
    void away(long nanos) {
        if (lock != null) {
            outside += nanos;
            if (nanos > longest) {
                longest = nanos;
                beforeLongest = last;
            }
        }
    }

    void sent(Access access, boolean locks) {
        if (lock == null && locks) {
            lock = access;
        }
        last = access;
    }

    long outsideNanos() {
        return outside;
    }

    /** The first that took a lock. */
    @Nullable
    Access lock() {
        return lock;
    }

    /** After which the program was away for longest. */
    @Nullable
    Access beforeLongest() {
        return beforeLongest;
    }
}
