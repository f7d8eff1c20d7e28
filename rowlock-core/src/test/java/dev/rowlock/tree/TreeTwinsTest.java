package dev.rowlock.tree;

import static dev.rowlock.Isolation.READ_COMMITTED;
import static dev.rowlock.Isolation.REPEATABLE_READ;

import dev.rowlock.prover.engine.Verdict.Anomaly;
import dev.rowlock.tree.BrokenProtocols.NoAncestors;
import dev.rowlock.tree.BrokenProtocols.NoSecondLook;
import dev.rowlock.tree.BrokenProtocols.NoSubtree;
import dev.rowlock.tree.BrokenProtocols.NoTrace;
import org.junit.jupiter.api.Test;

/** What is left out of a protocol is missed: each is found out in a race that {@link TreeProofsTest} proves with the whole of it. */
class TreeTwinsTest extends TreeProofs {
    @Test
    void oppositeMovesWithoutALock() {
        assertViolated(
                race("twin", BrokenProtocols::noLock, actors(move(2, 5), move(5, 2)), READ_COMMITTED),
                Anomaly.WRITE_SKEW);
    }

    @Test
    void oppositeMovesWithoutALockOnOneSnapshotEach() {
        assertViolated(
                race("twin", BrokenProtocols::noLock, actors(move(2, 5), move(5, 2)), REPEATABLE_READ),
                Anomaly.WRITE_SKEW);
    }

    @Test
    void addUnderAMovedNodeWithoutALock() {
        assertViolated(
                race("twin", BrokenProtocols::noLock, actors(move(2, 9), add(10, 4)), READ_COMMITTED),
                Anomaly.WRITE_SKEW);
    }

    @Test
    void addUnderARemovedParentWithoutALock() {
        assertViolated(
                race("twin", BrokenProtocols::noLock, actors(remove(9), add(10, 9)), READ_COMMITTED),
                Anomaly.WRITE_SKEW);
    }

    @Test
    void ringOfThreeWithoutALock() {
        assertViolated(
                race("twin", BrokenProtocols::noLock, actors(move(3, 7), move(6, 9), move(8, 4)), READ_COMMITTED),
                Anomaly.WRITE_SKEW);
    }

    @Test
    void lockOfTheTreeThatLeavesNoTrace() {
        assertViolated(
                race("twin", BrokenProtocols::lockWithoutATrace, actors(move(3, 7), move(6, 4)), REPEATABLE_READ),
                Anomaly.NON_SERIALIZABLE);
    }

    @Test
    void ringThroughNodesThatNobodyMovesWithoutTheirLocks() {
        assertViolated(
                race("twin", NoAncestors::new, actors(move(3, 7), move(6, 4)), READ_COMMITTED), Anomaly.WRITE_SKEW);
    }

    @Test
    void addUnderAMovedNodeThatLeavesNoTrace() {
        assertViolated(
                race("twin", NoTrace::new, actors(move(2, 9), add(10, 4)), REPEATABLE_READ, READ_COMMITTED),
                Anomaly.WRITE_SKEW);
    }

    @Test
    void addUnderARemovedParentThatLeavesNoTrace() {
        assertViolated(
                race("twin", NoTrace::new, actors(remove(9), add(10, 9)), REPEATABLE_READ, READ_COMMITTED),
                Anomaly.WRITE_SKEW);
    }

    @Test
    void heightOfAnOldSnapshot() {
        assertViolated(
                race("twin", NoSubtree::new, actors(move(2, 9), add(10, 4)), REPEATABLE_READ, READ_COMMITTED),
                Anomaly.LOST_UPDATE);
    }

    @Test
    void decisionOnWhatWasReadBeforeTheLocks() {
        assertViolated(
                race("twin", NoSecondLook::new, actors(move(2, 5), move(5, 2)), READ_COMMITTED), Anomaly.LOST_UPDATE);
    }
}
