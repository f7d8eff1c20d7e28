package dev.rowlock.tree;

import static dev.rowlock.Isolation.READ_COMMITTED;
import static dev.rowlock.Isolation.REPEATABLE_READ;
import static dev.rowlock.Isolation.SERIALIZABLE;

import dev.rowlock.Isolation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Two changes under lock sets, in every order of their statements. The tree is as small as the races allow: each lock is a statement
 * of its own, and with every further node above there are more of them.
 *
 * <pre>
 * 1 - 2 - 3 - 4
 *   - 5 - 6
 *   - 7
 * </pre>
 */
class LockSetsProofsTest extends TreeProofs {
    private static final Isolation[][] READ_COMMITTED_AND_ABOVE = {{READ_COMMITTED}, {REPEATABLE_READ}};
    private static final Isolation[][] MIXED = {
        {SERIALIZABLE}, {READ_COMMITTED, REPEATABLE_READ}, {REPEATABLE_READ, READ_COMMITTED},
    };

    @Override
    String nodes() {
        return "(1, NULL), (2, 1), (3, 2), (4, 3), (5, 1), (6, 5), (7, 1)";
    }

    private static Map<String, Map<String, Step>> core() {
        return Map.of("an add under a node that is moved deeper", actors(move(2, 6), add(10, 4)));
    }

    private static Map<String, Map<String, Step>> some() {
        Map<String, Map<String, Step>> races = new LinkedHashMap<>();
        races.put("a ring through nodes that nobody moves", actors(move(2, 6), move(5, 3)));
        races.put("a removed parent and a child that is added", actors(remove(6), add(10, 6)));
        races.put("a removed subtree and a node that leaves it", actors(remove(5, Children.REMOVE), move(6, 7)));
        races.put("lifted children and a child that is added", actors(remove(5, Children.LIFT), add(10, 5)));
        return races;
    }

    private static Map<String, Map<String, Step>> others() {
        Map<String, Map<String, Step>> races = new LinkedHashMap<>();
        races.put("opposite moves", actors(move(2, 5), move(5, 2)));
        races.put("a move into a subtree that is moved deeper", actors(move(2, 6), move(7, 4)));
        races.put("a removed parent and a child that is moved to it", actors(remove(6), move(7, 6)));
        races.put("a removed subtree and a child that is added to it", actors(remove(5, Children.REMOVE), add(10, 6)));
        races.put("lifted children, one of which moves away", actors(remove(5, Children.LIFT), move(6, 7)));
        races.put(
                "a removed grandparent and children that are lifted to it",
                actors(remove(2), remove(3, Children.LIFT)));
        return races;
    }

    @TestFactory
    List<DynamicTest> lockSets() {
        List<DynamicTest> tests = new ArrayList<>();
        core().forEach((what, steps) -> tests.addAll(proofs(what, steps, READ_COMMITTED_AND_ABOVE)));
        some().forEach((what, steps) -> tests.addAll(proofs(what, steps, new Isolation[][] {{READ_COMMITTED}})));
        return tests;
    }

    @Tag("deep")
    @TestFactory
    List<DynamicTest> lockSetsAtOtherLevels() {
        List<DynamicTest> tests = new ArrayList<>();
        core().forEach((what, steps) -> tests.addAll(proofs(what, steps, MIXED)));
        some().forEach((what, steps) -> tests.addAll(proofs(what, steps, new Isolation[][] {{REPEATABLE_READ}})));
        others().forEach((what, steps) -> tests.addAll(proofs(what, steps, READ_COMMITTED_AND_ABOVE)));
        return tests;
    }

    private List<DynamicTest> proofs(String what, Map<String, Step> steps, Isolation[][] allLevels) {
        List<DynamicTest> tests = new ArrayList<>();
        for (Isolation[] levels : allLevels) {
            String name = "lock sets, " + what + ", " + List.of(levels);
            tests.add(DynamicTest.dynamicTest(
                    name, () -> race(name, LockSets::new, steps, levels).prove()));
        }
        return tests;
    }
}
