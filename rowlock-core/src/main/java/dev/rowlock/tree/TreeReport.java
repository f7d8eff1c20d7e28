package dev.rowlock.tree;

import dev.rowlock.Key;
import java.util.List;

/**
 * What {@link Tree#check} has found.
 *
 * @param nodes how many rows the table has
 * @param deepest the greatest depth of a node that is reached from a root or an orphan; 0 for an empty table
 * @param findings what is wrong; of each {@link Flaw} {@value #MOST_FINDINGS} at most
 * @param complete whether these are all; else repair and check again
 */
public record TreeReport(long nodes, int deepest, List<Finding> findings, boolean complete) {
    /** How many findings of a kind are listed. */
    public static final int MOST_FINDINGS = 100;

    public TreeReport {
        findings = List.copyOf(findings);
    }

    /** Whether the rows are a tree that keeps all its rules. */
    public boolean isSound() {
        return findings.isEmpty() && complete;
    }

    /**
     * One thing that is wrong.
     *
     * @param flaw what
     * @param nodes where: the nodes of a ring, each one the child of the next; all roots that were found where there are several; else
     *     one node
     * @param message in words, with the limit and what was found
     */
    public record Finding(Flaw flaw, List<Key> nodes, String message) {
        public Finding {
            nodes = List.copyOf(nodes);
        }
    }
}
