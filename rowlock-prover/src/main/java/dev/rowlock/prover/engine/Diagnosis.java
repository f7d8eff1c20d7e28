package dev.rowlock.prover.engine;

import dev.rowlock.prover.engine.ActorResult.Status;
import dev.rowlock.prover.engine.ActorResult.StepResult;
import dev.rowlock.prover.engine.Footprints.Visit;
import dev.rowlock.prover.engine.Verdict.Anomaly;
import dev.rowlock.prover.engine.Verdict.Violated;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Gives what went wrong in a bad schedule its name, and finds the two statements that make it. The verdict does not depend on it:
 * that the schedule is bad was found by comparing outcomes.
 */
final class Diagnosis {
    private final RaceSpec race;
    private final Execution execution;
    private final List<StepResult> results;
    private final List<Deed> deeds = new ArrayList<>();

    /**
     * What one step did in one place.
     *
     * @param place of the step in the schedule
     * @param at when it was done: the place of the step that it came back with
     * @param publishedAt when others could see it
     */
    private record Deed(int actor, int place, int at, int publishedAt, Visit visit) {
        boolean sees(Deed other) {
            return other.publishedAt <= at && other.publishedAt != place;
        }
    }

    private Diagnosis(RaceSpec race, Footprints footprints, Execution execution) {
        this.race = race;
        this.execution = execution;
        this.results = execution.inOrder();
        for (int i = 0; i < results.size(); i++) {
            Execution.Step step = execution.steps().get(i);
            boolean counts = execution.results().get(step.actor()).status() == Status.COMMITTED;
            if (counts
                    && results.get(i).error().isEmpty()
                    && !results.get(i).sql().isEmpty()) {
                for (Visit visit : footprints.visits(results.get(i).sql())) {
                    deeds.add(new Deed(step.actor(), i, at(i), publishedAt(i), visit));
                }
            }
        }
    }

    /** The verdict on a bad schedule. */
    static Violated of(RaceSpec race, Footprints footprints, Tally.Bad bad) {
        Diagnosis diagnosis = new Diagnosis(race, footprints, bad.execution());
        if (bad.judgement().serial()) {
            return bad.judgement().broken().isEmpty()
                    ? diagnosis.deadlock()
                    : diagnosis.violated(
                            Anomaly.BROKEN_INVARIANT, invariants(bad) + ", and no race is needed for that");
        }
        if (!bad.judgement().unexpected().isEmpty()) {
            return diagnosis.violated(
                    Anomaly.UNEXPECTED_ERROR,
                    "an actor " + String.join("; ", bad.judgement().unexpected())
                            + ", which happens in no serial order");
        }
        Violated named = diagnosis
                .lostUpdate()
                .or(diagnosis::skew)
                .or(diagnosis::readSkew)
                .orElseGet(() -> diagnosis.violated(
                        Anomaly.NON_SERIALIZABLE, "no serial order of the actors comes to this outcome"));
        String sentence = bad.judgement().broken().isEmpty() ? named.why() : named.why() + "; " + invariants(bad);
        return new Violated(named.execution(), named.anomaly(), sentence, named.culprits());
    }

    private static String invariants(Tally.Bad bad) {
        return "it does not hold that " + String.join("; ", bad.judgement().broken());
    }

    /** A statement that was held had taken its snapshot before. */
    private int at(int place) {
        Execution.Step step = execution.steps().get(place);
        boolean held = execution.steps().stream()
                .anyMatch(other -> other.actor() == step.actor() && other.name().equals(Execution.finish(step.name())));
        return held ? place : step.backAt();
    }

    private int publishedAt(int place) {
        int actor = execution.steps().get(place).actor();
        for (int i = place; i < execution.steps().size(); i++) {
            Execution.Step step = execution.steps().get(i);
            if (step.actor() == actor && step.ends()) {
                return step.backAt();
            }
        }
        return execution.steps().size();
    }

    private Optional<Violated> lostUpdate() {
        for (Deed read : deeds) {
            for (Deed over : deeds) {
                if (!reads(read)
                        || !over.visit().writes()
                        || over.actor() != read.actor()
                        || over.place() < read.place()) {
                    continue;
                }
                for (Deed lost : deeds) {
                    if (lost.actor() != read.actor()
                            && lost.visit().writes()
                            && !read.sees(lost)
                            && lost.publishedAt() <= over.at()
                            && sameRow(read, over, true)
                            && sameRow(lost, over, waitedFor(over, lost))) {
                        return Optional.of(violated(
                                Anomaly.LOST_UPDATE,
                                name(read) + " read " + words(read) + values(read) + "; " + name(lost)
                                        + " changed it and committed; then " + name(over)
                                        + " wrote over it, from what it had read before: the update of "
                                        + name(lost) + " is lost",
                                lost.place(),
                                over.place()));
                    }
                }
            }
        }
        return Optional.empty();
    }

    private Optional<Violated> skew() {
        for (Deed read : deeds) {
            for (Deed write : deeds) {
                if (!isMissed(read, write)) {
                    continue;
                }
                for (Deed otherRead : deeds) {
                    for (Deed otherWrite : deeds) {
                        if (otherRead.actor() == write.actor()
                                && otherWrite.actor() == read.actor()
                                && isMissed(otherRead, otherWrite)) {
                            return Optional.of(skew(read, write, otherRead, otherWrite));
                        }
                    }
                }
            }
        }
        return Optional.empty();
    }

    private Violated skew(Deed read, Deed write, Deed otherRead, Deed otherWrite) {
        boolean appears = write.visit().kind().equals("Insert")
                && otherWrite.visit().kind().equals("Insert");
        if (appears) {
            return violated(
                    Anomaly.PHANTOM,
                    name(read) + " looked into " + words(read) + " before " + name(write) + " inserted there, and "
                            + name(otherRead) + " into " + words(otherRead) + " before " + name(otherWrite)
                            + " did: neither saw the other's row",
                    write.place(),
                    otherWrite.place());
        }
        return violated(
                Anomaly.WRITE_SKEW,
                name(read) + " read " + words(read) + values(read) + " before " + name(write) + " changed it, and "
                        + name(otherRead) + " read " + words(otherRead) + values(otherRead) + " before "
                        + name(otherWrite) + " changed it: each decided on what the other was about to change",
                write.place(),
                otherWrite.place());
    }

    private Optional<Violated> readSkew() {
        for (Deed before : deeds) {
            for (Deed write : deeds) {
                if (!isMissed(before, write)) {
                    continue;
                }
                for (Deed after : deeds) {
                    boolean half = after.actor() == before.actor()
                            && after.place() > before.place()
                            && deeds.stream()
                                    .anyMatch(seen -> seen.actor() == write.actor()
                                            && seen.visit().writes()
                                            && seen.visit().meets(after.visit()).orElse(true)
                                            && after.sees(seen));
                    if (half) {
                        return Optional.of(violated(
                                Anomaly.READ_SKEW,
                                name(before) + " read " + words(before) + values(before) + " before " + name(write)
                                        + " committed, and " + words(after) + values(after)
                                        + " after it: it saw half of what " + name(write) + " did",
                                before.place(),
                                after.place()));
                    }
                }
            }
        }
        return Optional.empty();
    }

    private Violated deadlock() {
        int victim = 0;
        while (victim < results.size()
                && !results.get(victim).error().orElse("").startsWith("40P01")) {
            victim++;
        }
        if (victim == results.size()) {
            return violated(Anomaly.DEADLOCK, "a deadlock reaches the caller");
        }
        int actor = execution.steps().get(victim).actor();
        for (int i = 0; i < victim; i++) {
            Execution.Step step = execution.steps().get(i);
            if (step.actor() != actor && !step.waitsFor().isEmpty() && step.backAt() >= victim) {
                return violated(
                        Anomaly.DEADLOCK,
                        name(step.actor()) + " waits for a lock of "
                                + name(step.waitsFor().iterator().next()) + ", and " + name(actor)
                                + " then asks for one that can never come: the deadlock reaches the caller of "
                                + name(actor),
                        i,
                        victim);
            }
        }
        return violated(Anomaly.DEADLOCK, "a deadlock reaches the caller of " + name(actor));
    }

    private static boolean reads(Deed deed) {
        return !deed.visit().writes();
    }

    /** Whether one actor read a place before what another changed there could be seen. */
    private static boolean isMissed(Deed read, Deed write) {
        return read.actor() != write.actor()
                && write.visit().writes()
                && write.visit().meets(read.visit()).orElse(true)
                && write.place() != read.place()
                && !read.sees(write);
    }

    private static boolean sameRow(Deed one, Deed other, boolean unknown) {
        return one.visit().meets(other.visit()).orElse(unknown);
    }

    private boolean waitedFor(Deed one, Deed other) {
        return execution.steps().get(one.place()).waitsFor().contains(other.actor())
                || (one.visit().kind().equals("Update") && other.visit().kind().equals("Update"));
    }

    private String name(Deed deed) {
        return name(deed.actor());
    }

    private String name(int actor) {
        return race.programs().get(actor).name();
    }

    private static String words(Deed deed) {
        String table = deed.visit().table().substring(deed.visit().table().indexOf('.') + 1);
        return deed.visit().row().isEmpty() ? table : table + " " + deed.visit().row();
    }

    private String values(Deed read) {
        List<List<String>> rows = results.get(read.place()).rows();
        return rows.size() == 1 && rows.get(0).size() == 1
                ? " as " + rows.get(0).get(0)
                : "";
    }

    private Violated violated(Anomaly anomaly, String why, Integer... culprits) {
        return new Violated(execution, anomaly, why, List.of(culprits));
    }
}
