package dev.rowlock.tree;

import dev.rowlock.Tx;

/**
 * How a change keeps others from making it wrong. Once this returns, what it returns stays true until the transaction ends, whatever
 * other transactions do, and whenever this one took its snapshot.
 */
interface LockProtocol {
    Place hold(Tx tx, Change change);
}
