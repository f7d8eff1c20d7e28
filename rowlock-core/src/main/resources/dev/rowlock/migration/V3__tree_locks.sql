-- One row for each tree that is kept by dev.rowlock.tree. Whoever adds, moves or removes a node counts it up first and holds it
-- until the end of the transaction. That it is written, and not only locked, is what a transaction with an older snapshot trips over.
CREATE TABLE IF NOT EXISTS rowlock_trees (
    name text PRIMARY KEY,
    reshapes bigint NOT NULL
) WITH (fillfactor = 50);
