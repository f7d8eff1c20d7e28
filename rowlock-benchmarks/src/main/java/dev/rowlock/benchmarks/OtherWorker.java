package dev.rowlock.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.rowlock.Rowlock;
import dev.rowlock.RowlockException;
import dev.rowlock.jobs.Job;
import dev.rowlock.jobs.Jobs;
import dev.rowlock.jobs.JobsListener;
import dev.rowlock.jobs.StaleJobException;
import java.util.concurrent.CountDownLatch;

/**
 * The program of a second process: a worker whose jobs never end by themselves. It says on its standard output which job runs.
 *
 * <p>Its third argument may be {@value #REPORTS}: then it is one of Rowlock that completes a job as soon as it hears that the job is lost,
 * which the database has to refuse.
 */
final class OtherWorker {
    static final String REPORTS = "reports";
    static final String RUNNING = "running";
    static final String REFUSED = "refused";
    static final String ACCEPTED = "accepted";
    static final String ENDED_STALE = "ended stale";

    private static final int TRIES = 20;

    private OtherWorker() {}

    /**
     * Runs until it is killed.
     *
     * @param args the server's port, the kind of worker, and perhaps how it ends
     */
    public static void main(String[] args) throws Exception {
        HikariDataSource pool = Database.pool(Database.sourceAt(Integer.parseInt(args[0])), TakeOverKind.JOBS + 4);
        if (args.length > 2 && args[2].equals(REPORTS)) {
            reports(pool);
        } else {
            TakeOverKind.valueOf(args[1]).factory().over(pool).start(job -> {
                say(RUNNING);
                forever();
            });
        }
        forever();
    }

    private static void reports(HikariDataSource pool) {
        Rowlock rowlock = Rowlock.over(pool);
        Jobs.over(rowlock)
                .worker()
                .handle(RowlockQueue.TYPE, job -> reportWhenLost(rowlock, job))
                .listener(new JobsListener() {
                    @Override
                    public void onEnded(Ended ended) {
                        say(ended.outcome() == Outcome.STALE ? ENDED_STALE : "ended as " + ended.outcome());
                    }
                })
                .start();
    }

    private static void reportWhenLost(Rowlock rowlock, Job job) {
        say(RUNNING);
        try {
            forever();
        } catch (InterruptedException e) {
            // The worker has noticed that the lease is lost; this handler does not care.
        }
        for (int attempt = 1; attempt <= TRIES; attempt++) {
            try {
                rowlock.run(job::completeIn);
                say(ACCEPTED);
                return;
            } catch (StaleJobException e) {
                say(REFUSED);
                return;
            } catch (RowlockException e) {
                // Until completeIn the worker interrupts a lost job's handler again with every beat, here while it
                // connected.
                Thread.interrupted();
            }
        }
    }

    private static void forever() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    private static void say(String word) {
        System.out.println(word);
    }
}
