package dev.rowlock.tree;

import dev.rowlock.Key;
import dev.rowlock.tree.TreeReport.Finding;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a repair would do. Nothing is changed before {@link #apply}. */
public final class TreeRepair {
    private final List<Step> steps;
    private final List<Finding> left;
    private final Applying applying;

    /** Makes the steps in one unit of work. */
    @FunctionalInterface
    interface Applying {
        void apply(List<Step> steps);
    }

    TreeRepair(List<Step> steps, List<Finding> left, Applying applying) {
        this.steps = List.copyOf(steps);
        this.left = List.copyOf(left);
        this.applying = applying;
    }

    /**
     * One node that gets another parent.
     *
     * @param node the node: one of each ring, and every orphan
     * @param from the parent it has
     * @param to the parent it gets; empty if it becomes a root
     * @param why what is repaired, in words
     */
    public record Step(Key node, Key from, Optional<Key> to, String why) {}

    /** What {@link #apply} would do, in this order. */
    public List<Step> steps() {
        return steps;
    }

    /** What only a person can decide: nodes that are too deep, of a type that may not stand there, or several roots. */
    public List<Finding> left() {
        return left;
    }

    /**
     * Makes all steps, or none, in one unit of work and under the locks that every change takes.
     *
     * @throws TreeRuleException if a step would break a rule, such as a second root: plan the repair with a parent to put things under
     * @throws MissingNodeException if the parent to put things under is not there, or a node has been removed since
     * @throws IllegalStateException if a node has another parent by now: plan anew
     */
    public void apply() {
        applying.apply(steps);
    }

    static Step step(Node node, @Nullable Key to, String why) {
        return new Step(node.key(), Change.given(node.parent()), Optional.ofNullable(to), why);
    }
}
