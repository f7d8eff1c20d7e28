package dev.rowlock.tree;

import static dev.rowlock.Isolation.READ_COMMITTED;
import static dev.rowlock.Isolation.REPEATABLE_READ;
import static dev.rowlock.Isolation.SERIALIZABLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.Isolation;
import dev.rowlock.prover.engine.Report;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class TreeProofsTest extends TreeProofs {
    private static final Isolation[][] LEVELS = {{READ_COMMITTED}, {REPEATABLE_READ}};
    private static final Isolation[][] MIXED = {
        {READ_COMMITTED, REPEATABLE_READ},
        {REPEATABLE_READ, READ_COMMITTED},
        {SERIALIZABLE},
        {SERIALIZABLE, READ_COMMITTED},
        {REPEATABLE_READ, SERIALIZABLE},
    };
    /**
     * Where two wait for one row and keep their snapshots, the server itself does not always let the same one go on first, so such
     * races of three cannot be decided.
     */
    private static final Isolation[][] OF_THREE = {{READ_COMMITTED}};

    private static Map<String, Map<String, Step>> others() {
        Map<String, Map<String, Step>> races = new LinkedHashMap<>();
        races.put("opposite moves", actors(move(2, 5), move(5, 2)));
        races.put("a move into a subtree that is moved deeper", actors(move(2, 9), move(7, 4)));
        races.put("a removed parent and a child that is added", actors(remove(9), add(10, 9)));
        races.put("a removed parent and a child that is moved to it", actors(remove(9), move(7, 9)));
        races.put("a removed subtree and a child that is added to it", actors(remove(6, Children.REMOVE), add(10, 7)));
        races.put("a removed subtree and a node that leaves it", actors(remove(5, Children.REMOVE), move(7, 9)));
        races.put("lifted children and a child that is added", actors(remove(6, Children.LIFT), add(10, 6)));
        races.put("lifted children, one of which moves away", actors(remove(6, Children.LIFT), move(7, 9)));
        races.put(
                "a removed grandparent and children that are lifted to it",
                actors(remove(5), remove(6, Children.LIFT)));
        return races;
    }

    /** What goes wrong most. */
    private static Map<String, Map<String, Step>> core() {
        Map<String, Map<String, Step>> races = new LinkedHashMap<>();
        races.put("a ring through nodes that nobody moves", actors(move(3, 7), move(6, 4)));
        races.put("an add under a node that is moved deeper", actors(move(2, 9), add(10, 4)));
        return races;
    }

    private static Map<String, Map<String, Step>> triples() {
        Map<String, Map<String, Step>> races = new LinkedHashMap<>();
        races.put("a ring of three", actors(move(3, 7), move(6, 9), move(8, 4)));
        races.put("two adds and a move make it too deep", actors(move(1, 20), add(10, 4), add(11, 4)));
        races.put("a move, a removal and an add at one place", actors(move(7, 9), remove(9), add(10, 9)));
        return races;
    }

    @TestFactory
    List<DynamicTest> treeLock() {
        List<DynamicTest> tests = new ArrayList<>();
        core().forEach((what, steps) -> tests.addAll(proofs(what, steps, LEVELS)));
        others().forEach((what, steps) -> tests.addAll(proofs(what, steps, new Isolation[][] {{READ_COMMITTED}})));
        return tests;
    }

    @Tag("deep")
    @TestFactory
    List<DynamicTest> treeLockAtOtherLevelsAndOfThree() {
        List<DynamicTest> tests = new ArrayList<>();
        core().forEach((what, steps) -> tests.addAll(proofs(what, steps, MIXED)));
        others().forEach((what, steps) -> tests.addAll(proofs(what, steps, new Isolation[][] {{REPEATABLE_READ}})));
        triples().forEach((what, steps) -> tests.addAll(proofs(what, steps, OF_THREE)));
        return tests;
    }

    private List<DynamicTest> proofs(String what, Map<String, Step> steps, Isolation[][] allLevels) {
        List<DynamicTest> tests = new ArrayList<>();
        for (Isolation[] levels : allLevels) {
            String name = "tree lock, " + what + ", " + List.of(levels);
            tests.add(DynamicTest.dynamicTest(
                    name, () -> race(name, TreeLock::new, steps, levels).prove()));
        }
        return tests;
    }

    /**
     * No proof: with each lock sent by itself there are more orders than can be run, and of three changes that lock out of order in a
     * further round one can be the victim of a deadlock. Of those that are run, none goes wrong.
     */
    @Test
    void ringOfThreeWithLockSetsInSomeOrders() {
        Report report = race(
                        "lock sets, a ring of three", LockSets::new, triples().get("a ring of three"), READ_COMMITTED)
                .allowDeadlocks()
                .maxSchedules(30)
                .explore();

        assertThat(report.schedules()).isPositive();
        assertThat(report.violating()).isZero();
    }
}
