package dev.rowlock.tree;

import static dev.rowlock.Isolation.READ_COMMITTED;
import static dev.rowlock.Isolation.REPEATABLE_READ;
import static dev.rowlock.Isolation.SERIALIZABLE;

import dev.rowlock.Isolation;
import dev.rowlock.prover.Race;
import dev.rowlock.prover.engine.Verdict.Anomaly;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * No node stands where its type may not. A type alone is no race, because no change of a tree changes one: but whose parent a node gets
 * can change, when that is removed and its children are lifted.
 *
 * <pre>
 * 1 company - 2 region - 4 region - 6 shop
 *           - 3 region
 * </pre>
 *
 * <p>A shop stands under a region only.
 */
class TypeProofsTest extends TreeProofs {
    @Override
    String given() {
        return "INSERT INTO node (id, parent_id, type) VALUES (1, NULL, 'company'), (2, 1, 'region'), (3, 1, 'region'),"
                + " (4, 2, 'region'), (6, 4, 'shop')";
    }

    @Override
    Tree.Builder ruled(Tree.Builder tree) {
        return tree.typeColumn("type")
                .allowRoots("company")
                .allow("region", "company", "region")
                .allow("shop", "region");
    }

    private Race types(String name, Function<Shape, LockProtocol> protocol, Map<String, Step> steps, Isolation level) {
        return race(name, protocol, steps, level).invariant(SHOPS, """
                        SELECT count(*) = 0
                        FROM node AS n
                        LEFT JOIN node AS p ON p.id = n.parent_id
                        WHERE n.type = 'shop' AND p.type IS DISTINCT FROM 'region'""");
    }

    private static Step addShop(long node, long parent) {
        return tree ->
                tree.add(parent, row -> row.set("id", node).set("type", "shop")).version();
    }

    private static final String SHOPS = "each shop stands under a region";

    private static Map<String, Map<String, Step>> races() {
        Map<String, Map<String, Step>> races = new LinkedHashMap<>();
        races.put(
                "a shop lifted from a region that moves to the company", actors(remove(4, Children.LIFT), move(4, 1)));
        races.put(
                "a shop lifted to a region that is removed",
                actors(remove(4, Children.LIFT), remove(2, Children.LIFT)));
        races.put("a shop added to a region that is removed", actors(remove(3, Children.LIFT), addShop(10, 3)));
        return races;
    }

    @TestFactory
    List<DynamicTest> typesUnderTheTreeLock() {
        return proofs("tree lock", TreeLock::new, READ_COMMITTED);
    }

    @Tag("deep")
    @TestFactory
    List<DynamicTest> typesAtOtherLevels() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Isolation level : List.of(REPEATABLE_READ, SERIALIZABLE)) {
            tests.addAll(proofs("tree lock", TreeLock::new, level));
        }
        for (Isolation level : List.of(READ_COMMITTED, REPEATABLE_READ, SERIALIZABLE)) {
            tests.addAll(proofs("lock sets", LockSets::new, level));
        }
        return tests;
    }

    private List<DynamicTest> proofs(String how, Function<Shape, LockProtocol> protocol, Isolation level) {
        List<DynamicTest> tests = new ArrayList<>();
        races().forEach((what, steps) -> {
            String name = how + ", " + what + ", " + level;
            tests.add(DynamicTest.dynamicTest(
                    name, () -> types(name, protocol, steps, level).prove()));
        });
        return tests;
    }

    @Test
    void shopLiftedFromARegionThatMovesWithoutALock() {
        assertViolated(
                types("twin", BrokenProtocols::noLock, actors(remove(4, Children.LIFT), move(4, 1)), READ_COMMITTED),
                Anomaly.WRITE_SKEW);
    }

    @Test
    void shopLiftedToARegionThatIsRemovedWithoutALock() {
        Map<String, Step> steps = actors(remove(4, Children.LIFT), remove(2, Children.LIFT));
        assertViolated(types("twin", BrokenProtocols::noLock, steps, READ_COMMITTED), Anomaly.WRITE_SKEW, SHOPS);
    }

    @Test
    void shopAddedToARegionThatIsRemovedWithoutALock() {
        assertViolated(
                types(
                        "twin",
                        BrokenProtocols::noLock,
                        actors(remove(3, Children.LIFT), addShop(10, 3)),
                        READ_COMMITTED),
                Anomaly.WRITE_SKEW,
                SHOPS);
    }
}
