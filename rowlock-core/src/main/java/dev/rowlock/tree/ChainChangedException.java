package dev.rowlock.tree;

import dev.rowlock.RowlockException;
import dev.rowlock.Table;
import java.sql.SQLException;

/** Others have moved what was to be locked too often. Counts as lost to another transaction (40001), so the unit of work is run again. */
final class ChainChangedException extends RowlockException {
    ChainChangedException(Table nodes, Change change, int rounds) {
        super(
                change + " of " + nodes + " found other ancestors each time it had locked them, " + rounds + " times",
                new SQLException("the chain of ancestors changed", "40001"));
    }
}
