package dev.rowlock.tree;

import static dev.rowlock.Isolation.READ_COMMITTED;
import static dev.rowlock.Isolation.REPEATABLE_READ;
import static dev.rowlock.Isolation.SERIALIZABLE;

import dev.rowlock.Isolation;
import dev.rowlock.prover.Race;
import dev.rowlock.prover.engine.Verdict.Anomaly;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A tree with one root keeps to one. That there is none yet is nothing that can be locked, so each who makes one takes the tree. */
class SingleRootProofsTest extends TreeProofs {
    private static final String ONE = "one root at most";

    private String nodes = "(1, NULL)";

    @Override
    String nodes() {
        return nodes;
    }

    @Override
    String given() {
        return nodes.isEmpty() ? "DELETE FROM node" : super.given();
    }

    @Override
    Tree.Builder ruled(Tree.Builder tree) {
        return tree.singleRoot();
    }

    private Race roots(Protocol protocol, Map<String, Step> steps, Isolation... levels) {
        return roots(protocol == Protocol.TREE_LOCK ? TreeLock::new : LockSets::new, steps, levels);
    }

    private Race roots(Function<Shape, LockProtocol> protocol, Map<String, Step> steps, Isolation... levels) {
        return race("one root", protocol, steps, levels)
                .invariant(ONE, "SELECT count(*) <= 1 FROM node WHERE parent_id IS NULL");
    }

    private static Step addRoot(long node) {
        return tree -> tree.add(null, row -> row.set("id", node)).version();
    }

    private static Stream<Arguments> everyLevel() {
        return Stream.of(Protocol.values())
                .flatMap(protocol -> Stream.of(READ_COMMITTED, REPEATABLE_READ, SERIALIZABLE)
                        .map(level -> Arguments.of(protocol, level)));
    }

    @ParameterizedTest
    @EnumSource
    void twoAddARootToATreeWithNone(Protocol protocol) {
        nodes = "";
        roots(protocol, actors(addRoot(10), addRoot(11)), READ_COMMITTED).prove();
    }

    @Tag("deep")
    @ParameterizedTest
    @MethodSource("everyLevel")
    void twoAddARootAtEveryLevel(Protocol protocol, Isolation level) {
        nodes = "";
        roots(protocol, actors(addRoot(10), addRoot(11)), level).prove();
    }

    @ParameterizedTest
    @EnumSource
    void threeAddARootToATreeWithNone(Protocol protocol) {
        nodes = "";
        roots(protocol, actors(addRoot(10), addRoot(11), addRoot(12)), READ_COMMITTED)
                .prove();
    }

    @ParameterizedTest
    @EnumSource
    void theRootIsRemovedAndAnotherAdded(Protocol protocol) {
        roots(protocol, actors(remove(1), addRoot(10)), READ_COMMITTED).prove();
    }

    @ParameterizedTest
    @EnumSource
    void theOnlyChildIsLiftedToBeTheRootAndAnotherAdded(Protocol protocol) {
        nodes = "(1, NULL), (2, 1)";
        roots(protocol, actors(remove(1, Children.LIFT), addRoot(10)), READ_COMMITTED)
                .prove();
    }

    /** With the second child there are two to be lifted. */
    @ParameterizedTest
    @EnumSource
    void theOnlyChildIsLiftedToBeTheRootAndASecondChildAdded(Protocol protocol) {
        nodes = "(1, NULL), (2, 1)";
        roots(protocol, actors(remove(1, Children.LIFT), add(10, 1)), READ_COMMITTED)
                .prove();
    }

    @Tag("deep")
    @ParameterizedTest
    @MethodSource("everyLevel")
    void theRootIsRemovedOrItsChildrenLiftedAtEveryLevel(Protocol protocol, Isolation level) {
        roots(protocol, actors(remove(1), addRoot(10)), level).prove();
        nodes = "(1, NULL), (2, 1)";
        roots(protocol, actors(remove(1, Children.LIFT), addRoot(10)), level).prove();
        roots(protocol, actors(remove(1, Children.LIFT), add(10, 1)), level).prove();
    }

    @Test
    void rootsThatAreLookedForAndAdded() {
        nodes = "";
        assertViolated(
                roots(BrokenProtocols::noLock, actors(addRoot(10), addRoot(11)), READ_COMMITTED), Anomaly.PHANTOM, ONE);
    }

    /** At REPEATABLE READ too; SERIALIZABLE alone would find it out. */
    @Test
    void rootsThatAreLookedForOnOneSnapshotEach() {
        nodes = "";
        assertViolated(
                roots(BrokenProtocols::noLock, actors(addRoot(10), addRoot(11)), REPEATABLE_READ),
                Anomaly.PHANTOM,
                ONE);
    }

    /** The locks on nodes say nothing where there are none. */
    @Test
    void rootsUnderTheLocksOfTheirNodesOnly() {
        nodes = "";
        assertViolated(
                roots(BrokenProtocols::setsOfSeveralRoots, actors(addRoot(10), addRoot(11)), READ_COMMITTED),
                Anomaly.PHANTOM,
                ONE);
    }

    @Test
    void childrenThatAreCountedAndLifted() {
        nodes = "(1, NULL), (2, 1)";
        assertViolated(
                roots(BrokenProtocols::noLock, actors(remove(1, Children.LIFT), add(10, 1)), READ_COMMITTED),
                Anomaly.WRITE_SKEW);
    }
}
