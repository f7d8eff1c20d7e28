package dev.rowlock.counter;

import dev.rowlock.Rowlock;
import dev.rowlock.Tx;

/** How it is done where nobody has thought of the other writer. */
final class Naive {
    private Naive() {}

    /** Locks several rows in the order in which they were asked for. */
    static String transfer(Rowlock rowlock, long from, long to) {
        return rowlock.call(tx -> {
            long payer = read(tx, from);
            long payee = read(tx, to);
            write(tx, from, payer - 7);
            write(tx, to, payee + 7);
            return "applied";
        });
    }

    private static long read(Tx tx, long id) {
        return tx.query("SELECT amount FROM account WHERE id = ? FOR UPDATE", id)
                .get(0)
                .getLong("amount");
    }

    private static void write(Tx tx, long id, long amount) {
        if (tx.execute("UPDATE account SET amount = ? WHERE id = ?", amount, id) != 1) {
            throw new IllegalStateException("no row " + id);
        }
    }
}
