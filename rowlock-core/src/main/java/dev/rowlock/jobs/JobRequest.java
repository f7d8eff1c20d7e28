package dev.rowlock.jobs;

import java.time.Duration;
import java.util.Optional;

/**
 * A job to enqueue; immutable.
 *
 * @param type which handler runs it: 1 to 100 characters
 * @param payload what the handler needs to know, in any form: at most 1 MiB in UTF-8
 * @param queue where it waits; {@value #DEFAULT_QUEUE} unless said otherwise, 1 to 100 characters
 * @param delay earliest start after the enqueue, by the database's clock: none by default, at most 10 years
 * @param priority from 0, which goes first, to 9; 5 by default
 * @param uniqueKey see {@link #withUniqueKey}
 * @param group see {@link #inGroup}
 * @param maxAttempts how often it is started at most before it is dead, from 1 to 1000; 10 by default
 */
public record JobRequest(
        String type,
        String payload,
        String queue,
        Duration delay,
        int priority,
        Optional<String> uniqueKey,
        Optional<String> group,
        int maxAttempts) {

    /** The queue of jobs that name none. */
    public static final String DEFAULT_QUEUE = "default";

    /** @throws IllegalArgumentException if one is out of bounds, naming it */
    public JobRequest {
        Checks.name("type", type);
        Checks.payload(payload);
        Checks.name("queue", queue);
        Checks.range("delay", delay, Duration.ZERO, Checks.LONGEST_DELAY);
        Checks.range("priority", priority, 0, 9);
        uniqueKey.ifPresent(key -> Checks.key("uniqueKey", key));
        group.ifPresent(key -> Checks.key("group", key));
        Checks.range("maxAttempts", maxAttempts, 1, 1000);
    }

    /** A job to be run as soon as can be, with all defaults. */
    public static JobRequest of(String type, String payload) {
        return new JobRequest(type, payload, DEFAULT_QUEUE, Duration.ZERO, 5, Optional.empty(), Optional.empty(), 10);
    }

    /** The same in another queue. Queues are worked on independently of each other. */
    public JobRequest inQueue(String name) {
        return new JobRequest(type, payload, name, delay, priority, uniqueKey, group, maxAttempts);
    }

    /** The same, not to be started before this time has passed. */
    public JobRequest delayedBy(Duration time) {
        return new JobRequest(type, payload, queue, time, priority, uniqueKey, group, maxAttempts);
    }

    /** The same with another priority: of the jobs that are due, a smaller number goes first. */
    public JobRequest withPriority(int number) {
        return new JobRequest(type, payload, queue, delay, number, uniqueKey, group, maxAttempts);
    }

    /**
     * The same, but only if no job of its queue with this key waits or runs; one that is done or dead does not count. A second enqueue
     * waits for the first one's transaction. Beware: a job that runs already may have read what it works on before your change, so
     * where every change needs a run after it, put the change's own number into the key.
     *
     * @param key 1 to 200 characters
     */
    public JobRequest withUniqueKey(String key) {
        return new JobRequest(type, payload, queue, delay, priority, Optional.of(key), group, maxAttempts);
    }

    /**
     * The same in an ordered group: the jobs of one group and queue run one at a time, in the order in which they were enqueued,
     * whatever their priorities. One that waits for its time or its next attempt holds up those behind it; one that is dead does not. So
     * that the order is that of the commits, transactions that enqueue into one group wait for each other.
     *
     * @param key 1 to 200 characters
     */
    public JobRequest inGroup(String key) {
        return new JobRequest(type, payload, queue, delay, priority, uniqueKey, Optional.of(key), maxAttempts);
    }

    /** The same, started this many times at most. */
    public JobRequest withMaxAttempts(int attempts) {
        return new JobRequest(type, payload, queue, delay, priority, uniqueKey, group, attempts);
    }
}
