package dev.rowlock.tree;

import dev.rowlock.SqlStatement;
import dev.rowlock.Tx;
import java.util.List;

/**
 * One lock for each tree. Whoever changes the tree first counts up the tree's row in {@code rowlock_trees} and so holds it. At READ
 * COMMITTED the next statement then sees all that the holders before have done. A transaction with an older snapshot cannot count
 * the row up, because it was written since: 40001, and the unit of work is run again. A row that was merely locked, or an advisory lock,
 * would let it through with its old view.
 */
final class TreeLock implements LockProtocol {
    /** Also makes the row, once: of two who do, one waits for the other. */
    private static final String TAKE = """
            INSERT INTO rowlock_trees AS t (name, reshapes)
            VALUES (?, 1)
            ON CONFLICT (name) DO UPDATE SET reshapes = t.reshapes + 1""";

    private final Shape shape;

    TreeLock(Shape shape) {
        this.shape = shape;
    }

    static SqlStatement take(Shape shape) {
        return SqlStatement.of(TAKE, shape.name());
    }

    @Override
    public Place hold(Tx tx, Change change) {
        return PlaceQuery.of(shape, change, false).read(tx, List.of(take(shape)));
    }
}
