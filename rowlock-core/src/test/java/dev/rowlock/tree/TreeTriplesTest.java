package dev.rowlock.tree;

import static dev.rowlock.Isolation.READ_COMMITTED;
import static dev.rowlock.Isolation.REPEATABLE_READ;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Three changes at once, on the smallest trees where they can go wrong: so there are few enough orders to run them all. */
class TreeTriplesTest extends TreeProofs {
    private static final Duration LONG = Duration.ofMinutes(30);

    private String nodes = "(1, NULL)";

    @Override
    String nodes() {
        return nodes;
    }

    @Override
    int deepest(int actors) {
        return 3;
    }

    /** Three nodes, each of which goes under the next. */
    @Test
    void ringOfThreeUnderTheTreeLock() {
        nodes = "(1, NULL), (2, NULL), (3, NULL)";
        race("tree lock, a ring of three", TreeLock::new, actors(move(1, 2), move(2, 3), move(3, 1)), READ_COMMITTED)
                .prove();
    }

    /** 4,602 orders. */
    @Tag("deep")
    @Test
    void twoAddsAndARemovalUnderTheTreeLockOnOneSnapshotEach() {
        race(
                        "tree lock, two adds and a removal",
                        TreeLock::new,
                        actors(add(10, 1), add(11, 1), remove(1)),
                        REPEATABLE_READ)
                .timeout(LONG)
                .prove();
    }

    /** 7,126 orders. */
    @Tag("deep")
    @Test
    void twoAddsAndARemovalUnderLockSets() {
        race(
                        "lock sets, two adds and a removal",
                        LockSets::new,
                        actors(add(10, 1), add(11, 1), remove(1)),
                        READ_COMMITTED)
                .timeout(LONG)
                .prove();
    }
}
