package dev.rowlock.service.wallet;

import dev.rowlock.Row;

/**
 * A wallet as it is answered.
 *
 * @param id its id
 * @param balance what it holds, in minor units
 */
record Wallet(long id, long balance) {
    static Wallet of(Row row) {
        return new Wallet(row.getLong("id"), row.getLong("balance"));
    }
}
