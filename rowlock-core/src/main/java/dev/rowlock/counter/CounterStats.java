package dev.rowlock.counter;

/**
 * What a {@link Counter} is doing in this process, for meters.
 *
 * @param waiting requests in the queue now
 * @param running transactions and single statements under way now
 * @param requests all requests since the counter was made
 * @param batches transactions since then that carried out what had waited
 * @param combined requests since then that such transactions carried out
 */
public record CounterStats(int waiting, int running, long requests, long batches, long combined) {}
