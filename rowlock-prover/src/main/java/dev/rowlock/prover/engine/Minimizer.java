package dev.rowlock.prover.engine;

import dev.rowlock.prover.engine.Oracle.Judgement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Makes a bad schedule easier to read: moves an actor's steps next to its others as long as what comes of it stays bad. */
final class Minimizer {
    private static final int MOST_TRIES = 200;

    private final RaceSpec race;
    private final Runner runner;
    private final Oracle oracle;
    private final Set<List<Integer>> tried = new HashSet<>();

    Minimizer(RaceSpec race, Runner runner, Oracle oracle) {
        this.race = race;
        this.runner = runner;
        this.oracle = oracle;
    }

    /** Offers shorter ones to the tally until none is found. */
    void minimize(Tally tally) {
        boolean improved = true;
        while (improved && tally.worst().isPresent()) {
            improved = improve(tally, actors(tally.worst().get().execution()));
        }
    }

    private boolean improve(Tally tally, List<Integer> actors) {
        for (List<Integer> candidate : candidates(actors)) {
            if (tried.size() >= MOST_TRIES) {
                return false;
            }
            if (!tried.add(candidate)) {
                continue;
            }
            Optional<Execution> execution = runner.run(race.programs(), new Follow(candidate));
            if (execution.isPresent()) {
                Judgement judgement = oracle.judge(execution.get());
                if (tally.offer(execution.get(), judgement)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static List<Integer> actors(Execution execution) {
        return execution.steps().stream().map(Execution.Step::actor).toList();
    }

    /** Each block of one actor's steps, moved to the actor's block before or behind it. */
    private static List<List<Integer>> candidates(List<Integer> actors) {
        List<List<Integer>> blocks = new ArrayList<>();
        for (Integer actor : actors) {
            if (blocks.isEmpty() || !blocks.get(blocks.size() - 1).get(0).equals(actor)) {
                blocks.add(new ArrayList<>());
            }
            blocks.get(blocks.size() - 1).add(actor);
        }
        List<List<Integer>> candidates = new ArrayList<>();
        for (int from = 0; from < blocks.size(); from++) {
            for (int to = 0; to < blocks.size(); to++) {
                if (from != to && blocks.get(from).get(0).equals(blocks.get(to).get(0))) {
                    List<List<Integer>> moved = new ArrayList<>(blocks);
                    List<Integer> block = moved.remove(from);
                    moved.add(from < to ? to - 1 : to, block);
                    candidates.add(moved.stream().flatMap(List::stream).toList());
                }
            }
        }
        return candidates;
    }
}
