package dev.rowlock.service.wallet;

/**
 * A transfer that was made.
 *
 * @param amount what was moved
 * @param from the wallet that gave, as it is now
 * @param to the wallet that received, as it is now
 */
record Transferred(long amount, Wallet from, Wallet to) {}
