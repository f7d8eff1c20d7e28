package dev.rowlock.once;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Keys that were answered here lately. A request with one of them is most likely a repeat, so its answer is looked up before anything is
 * tried. A guess and no more: keys are forgotten when others take their places, one that was never used may look known, and what
 * other processes have answered is not here.
 */
final class SeenKeys {
    private final AtomicLongArray slots;

    /** @param size how many keys there is a place for, eight bytes each; 0 for none */
    SeenKeys(int size) {
        this.slots = new AtomicLongArray(size);
    }

    boolean probably(OnceKey key) {
        long hash = hash(key);
        return slots.length() > 0 && slots.get(slot(hash)) == hash;
    }

    void add(OnceKey key) {
        if (slots.length() > 0) {
            long hash = hash(key);
            slots.set(slot(hash), hash);
        }
    }

    private int slot(long hash) {
        return (int) Long.remainderUnsigned(hash, slots.length());
    }

    /** Never 0, which is an empty slot. The last steps are those of MurmurHash3 (A. Appleby), so that all bits count for the slot. */
    private static long hash(OnceKey key) {
        long hash = ((long) key.scope().hashCode() << 32) ^ (key.key().hashCode() & 0xffffffffL);
        hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return (hash ^ (hash >>> 33)) | 1;
    }
}
