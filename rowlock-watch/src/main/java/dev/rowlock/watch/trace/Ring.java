package dev.rowlock.watch.trace;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The latest records. */
final class Ring {
    private final int capacity;
    private final Deque<TraceRecord> records = new ArrayDeque<>();
    private long overflow;

    Ring(int capacity) {
        this.capacity = capacity;
    }

    synchronized void add(TraceRecord record) {
        if (records.size() >= capacity) {
            overflow++;
            if (records.pollFirst() == null) {
                return;
            }
        }
        records.addLast(record);
    }

    synchronized List<TraceRecord> records() {
        return List.copyOf(records);
    }

    synchronized long overflow() {
        return overflow;
    }

    synchronized void clear() {
        records.clear();
        overflow = 0;
    }
}
