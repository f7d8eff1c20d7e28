package dev.rowlock.prover.engine;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;

/**
 * A race of code in Java.
 *
 * @param name for messages
 * @param given SQL that is run once, before the data are remembered to which every schedule returns
 * @param actors their code by their names, in their order
 * @param invariants queries that must be true after every schedule, by their text
 * @param ignored columns whose values differ from run to run by nature, as {@code table.column}
 * @param abortedBy exceptions that say that an actor has done nothing and may begin anew
 * @param valuesCount whether what the actors return or throw is part of an outcome
 */
public record JavaRaceSpec(
        String name,
        List<String> given,
        Map<String, Callable<?>> actors,
        Map<String, String> invariants,
        Set<String> ignored,
        Set<Class<? extends Throwable>> abortedBy,
        boolean valuesCount) {
    public JavaRaceSpec {
        given = List.copyOf(given);
        actors = Collections.unmodifiableMap(new LinkedHashMap<>(actors));
        invariants = Map.copyOf(invariants);
        ignored = Set.copyOf(ignored);
        abortedBy = Set.copyOf(abortedBy);
    }
}
