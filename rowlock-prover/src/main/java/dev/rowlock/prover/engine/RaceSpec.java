package dev.rowlock.prover.engine;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is explored: where the data begin, who acts on them, and what must hold at the end.
 *
 * @param name for messages
 * @param setups SQL that builds the data, run anew before each schedule
 * @param programs the actors
 * @param invariants queries that must be true after every schedule, by their text
 * @param ignored columns whose values differ from run to run by nature, as {@code table.column}
 * @param readsCount whether the rows that an actor read are part of an outcome
 */
public record RaceSpec(
        String name,
        List<String> setups,
        List<Program> programs,
        Map<String, String> invariants,
        Set<String> ignored,
        boolean readsCount) {
    public RaceSpec {
        setups = List.copyOf(setups);
        programs = List.copyOf(programs);
        invariants = Map.copyOf(invariants);
        ignored = Set.copyOf(ignored);
    }
}
