package dev.rowlock.service.job;

import dev.rowlock.jobs.JobInfo;
import dev.rowlock.jobs.JobState;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A job as it is answered. One that is done is not there any more.
 *
 * @param state ready, running or dead
 * @param attempts how often it was started
 * @param maxAttempts how often it is started at most
 * @param runAt when it is due, or was
 * @param lastError why its last attempt failed, or null if none has
 */
record JobView(
        long id,
        String type,
        String payload,
        String state,
        int attempts,
        int maxAttempts,
        Instant runAt,
        @Nullable String lastError) {
    static JobView of(JobInfo job) {
        return new JobView(
                job.id(),
                job.type(),
                job.payload(),
                word(job.state()),
                job.attempts(),
                job.maxAttempts(),
                job.runAt(),
                job.lastError().orElse(null));
    }

    /** As it stood when it was put back. */
    static JobView requeued(JobInfo job) {
        return new JobView(
                job.id(),
                job.type(),
                job.payload(),
                word(JobState.READY),
                0,
                job.maxAttempts(),
                job.runAt(),
                job.lastError().orElse(null));
    }

    /** The state in the words of answers and requests. */
    static String word(JobState state) {
        return state.name().toLowerCase(Locale.ROOT);
    }
}
