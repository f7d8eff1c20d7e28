package dev.rowlock.prover.engine;

import java.util.List;

/** What came of one remedy that {@link WhatIf} looked at. */
public sealed interface Remedy {
    /** What would have to be changed, such as {@code SERIALIZABLE} or {@code FOR UPDATE on read_a, read_b}. */
    String name();

    /**
     * It was tried.
     *
     * @param report of the scenario with the remedy in it; its price are {@link Report#waits}, {@link Report#aborted} and {@link
     *     Report#deadlocks}, each of {@link Report#schedules}
     */
    record Tried(String name, Report report) implements Remedy {}

    /**
     * It cannot be had in this scenario.
     *
     * @param reasons why not, at least one: what the server says where it refuses
     */
    record Impossible(String name, List<String> reasons) implements Remedy {
        public Impossible {
            reasons = List.copyOf(reasons);
        }
    }
}
