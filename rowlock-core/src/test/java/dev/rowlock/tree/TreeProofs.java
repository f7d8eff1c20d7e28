package dev.rowlock.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.Isolation;
import dev.rowlock.Rowlock;
import dev.rowlock.RowlockSchema;
import dev.rowlock.Table;
import dev.rowlock.prover.Race;
import dev.rowlock.prover.RaceDatabase;
import dev.rowlock.prover.engine.Verdict;
import dev.rowlock.prover.engine.Verdict.Anomaly;
import dev.rowlock.prover.junit.RaceExtension;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Races of changes of one tree. The tree, with a limit of 6, or of 9 where three change it:
 *
 * <pre>
 * 1 - 2 - 3 - 4
 *   - 5 - 6 - 7
 *   - 8 - 9
 * 16 - 17 - 18 - 19 - 20
 * </pre>
 */
@ExtendWith(RaceExtension.class)
abstract class TreeProofs {
    static final Table NODES = Table.of("node", "id").withVersion("version");
    /** Longer than a slow machine takes, so that what comes of a wait does not depend on the clock. */
    private static final Duration WAIT = Duration.ofSeconds(60);

    private static final int MAX_DEPTH = 6;
    /** A ring of three is closed by a node that two moves have put further down. */
    private static final int MAX_DEPTH_OF_THREE = 9;

    private static final Shape SHAPE =
            new Shape(NODES, "parent_id", null, "node", MAX_DEPTH, false, Map.of(), java.util.Set.of(), 100);

    /** A change of the tree by a transaction at some isolation level. */
    @FunctionalInterface
    interface Step {
        Object in(Tree tree);
    }

    private RaceDatabase database;

    @BeforeEach
    void open(RaceDatabase given) {
        database = given.execute(
                "CREATE TABLE node (id bigint PRIMARY KEY, parent_id bigint, type text,"
                        + " version bigint NOT NULL DEFAULT 1)",
                "CREATE INDEX ON node (parent_id)");
        RowlockSchema.install(Rowlock.over(database.dataSource()));
    }

    /** No rings, no orphans: every node is reached from a root, and within the limit. */
    private Race race(String name, int deepest) {
        return Race.on(database)
                .named(name)
                .given(given())
                .given("INSERT INTO rowlock_trees VALUES ('node', 0)")
                .invariant("a tree within its limit", """
                        WITH RECURSIVE walk AS (
                          SELECT id, 1 AS depth FROM node WHERE parent_id IS NULL
                          UNION ALL
                          SELECT n.id, depth + 1 FROM walk JOIN node AS n ON n.parent_id = walk.id
                        )
                        SELECT count(*) = (SELECT count(*) FROM node) AND coalesce(max(depth), 0) <= %d FROM walk""".formatted(deepest));
    }

    String given() {
        return "INSERT INTO node (id, parent_id) VALUES " + nodes();
    }

    /** With further rules; none here. */
    Tree.Builder ruled(Tree.Builder tree) {
        return tree;
    }

    /** Each with its parent. */
    String nodes() {
        return "(1, NULL), (2, 1), (3, 2), (4, 3), (5, 1), (6, 5), (7, 6), (8, 1), (9, 8),"
                + " (16, NULL), (17, 16), (18, 17), (19, 18), (20, 19)";
    }

    int deepest(int actors) {
        return actors == 2 ? MAX_DEPTH : MAX_DEPTH_OF_THREE;
    }

    Race race(String name, Function<Shape, LockProtocol> protocol, Map<String, Step> steps, Isolation... levels) {
        int deepest = deepest(steps.size());
        Race race = race(name, deepest);
        int i = 0;
        for (Map.Entry<String, Step> step : steps.entrySet()) {
            Isolation level = levels[i % levels.length];
            i++;
            race.actor(step.getKey(), () -> act(protocol, deepest, level, step.getValue()));
        }
        return race;
    }

    /**
     * Aborts and deadlocks reach the caller. Above READ COMMITTED it has a snapshot before it comes to a lock: one of its own, unless
     * the protocol begins with a read.
     */
    private Object act(Function<Shape, LockProtocol> protocol, int deepest, Isolation level, Step step) {
        Rowlock rowlock = Rowlock.builder(database.dataSource())
                .lockTimeout(WAIT)
                .statementTimeout(WAIT)
                .maxAttempts(1)
                .pipelining(false)
                .isolation(level)
                .build();
        Tree tree = ruled(Tree.over(rowlock, NODES))
                .maxDepth(deepest)
                .protocol(protocol)
                .build();
        return rowlock.call(tx -> {
            if (level != Isolation.READ_COMMITTED && !(protocol.apply(SHAPE) instanceof LockSets)) {
                tx.query("SELECT 1");
            }
            try {
                return step.in(tree);
            } catch (TreeRuleException refused) {
                throw new IllegalStateException(refused.rule().name());
            }
        });
    }

    static Step move(long node, long parent) {
        return tree -> tree.move(node, parent).version();
    }

    static Step add(long node, long parent) {
        return tree -> tree.add(parent, row -> row.set("id", node)).version();
    }

    static Step remove(long node) {
        return tree -> tree.remove(node, Children.REFUSE);
    }

    static Step remove(long node, Children children) {
        return tree -> tree.remove(node, children);
    }

    static Map<String, Step> actors(Step a, Step b) {
        Map<String, Step> actors = new java.util.LinkedHashMap<>();
        actors.put("A", a);
        actors.put("B", b);
        return actors;
    }

    static Map<String, Step> actors(Step a, Step b, Step c) {
        Map<String, Step> actors = actors(a, b);
        actors.put("C", c);
        return actors;
    }

    /** The search goes on behind the first bad schedule, to show the shortest; a few are enough here. */
    static void assertViolated(Race race, Anomaly anomaly) {
        assertThat(race.maxSchedules(40).explore().verdict())
                .isInstanceOfSatisfying(
                        Verdict.Violated.class,
                        violated -> assertThat(violated.anomaly()).isEqualTo(anomaly));
    }

    /** And this invariant does not hold. */
    static void assertViolated(Race race, Anomaly anomaly, String invariant) {
        assertThat(race.maxSchedules(40).explore().verdict())
                .isInstanceOfSatisfying(Verdict.Violated.class, violated -> {
                    assertThat(violated.anomaly()).isEqualTo(anomaly);
                    assertThat(violated.why()).contains("it does not hold that", invariant);
                });
    }
}
