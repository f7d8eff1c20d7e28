package dev.rowlock.jobs;

import java.time.Duration;

/**
 * How a queue stands.
 *
 * @param queue its name
 * @param due how many jobs wait for nothing but a worker, or for those before them in their group
 * @param scheduled how many wait for their time or their next attempt
 * @param running how many are held by workers
 * @param dead how many have used up their attempts
 * @param oldestDue for how long the job that is due longest has been waiting; nothing if none is due
 */
public record QueueStats(String queue, long due, long scheduled, long running, long dead, Duration oldestDue) {}
