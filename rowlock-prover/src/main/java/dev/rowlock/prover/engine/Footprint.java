package dev.rowlock.prover.engine;

import java.util.HashSet;
import java.util.Set;

/**
 * What a statement can touch, whatever the state of the data: more than it does touch in one execution, never less.
 *
 * @param reads what it reads without locking it
 * @param writes what it changes or locks
 * @param looks whether it takes a snapshot, which even a query without a table does
 * @param unknown whether it may touch anything besides
 */
public record Footprint(Set<Resource> reads, Set<Resource> writes, boolean looks, boolean unknown) {
    /** Of a statement that touches no shared data, such as BEGIN. */
    public static final Footprint NOTHING = new Footprint(Set.of(), Set.of(), false, false);
    /** Of a statement that takes a snapshot and touches nothing. */
    static final Footprint LOOKS = new Footprint(Set.of(), Set.of(), true, false);
    /** Of a statement that is not understood. */
    public static final Footprint UNKNOWN = new Footprint(Set.of(), Set.of(), true, true);

    public Footprint {
        reads = Set.copyOf(reads);
        writes = Set.copyOf(writes);
    }

    /**
     * A table, or one row of it.
     *
     * @param table its qualified name
     * @param row the values of a unique key, in words; empty for the whole table
     */
    public record Resource(String table, String row) {
        /** Whether they can have a row in common. */
        boolean overlaps(Resource other) {
            return table.equals(other.table) && (row.isEmpty() || other.row.isEmpty() || row.equals(other.row));
        }
    }

    /** What either touches. */
    public Footprint and(Footprint other) {
        Set<Resource> bothReads = new HashSet<>(reads);
        bothReads.addAll(other.reads);
        Set<Resource> bothWrites = new HashSet<>(writes);
        bothWrites.addAll(other.writes);
        return new Footprint(bothReads, bothWrites, looks || other.looks, unknown || other.unknown);
    }

    /** Whether it touches no shared data and takes no snapshot of them. */
    public boolean isNothing() {
        return !unknown && !looks && reads.isEmpty() && writes.isEmpty();
    }
}
