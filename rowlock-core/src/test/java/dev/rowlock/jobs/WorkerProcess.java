package dev.rowlock.jobs;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.rowlock.Rowlock;
import dev.rowlock.jobs.JobsListener.Ended;
import dev.rowlock.jobs.JobsListener.Outcome;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A worker in a process of its own. If told to hold, it stands still in the middle of its jobs after a few: some of its handlers with
 * the effect and the completion in an open transaction, others with the effect committed and the job not yet completed.
 */
public final class WorkerProcess {
    static final int HANDLERS = 4;
    static final String HOLDING = "holding";

    private WorkerProcess() {}

    /** Arguments: JDBC URL, and after how many jobs to stand still, or 0 for never. */
    public static void main(String[] args) throws InterruptedException {
        PGSimpleDataSource direct = new PGSimpleDataSource();
        direct.setUrl(args[0]);
        direct.setUser("postgres");
        direct.setPassword("postgres");
        int holdAfter = Integer.parseInt(args[1]);
        HikariConfig config = new HikariConfig();
        config.setDataSource(direct);
        HikariDataSource pool = new HikariDataSource(config);
        Rowlock rowlock = Rowlock.over(pool);
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger held = new AtomicInteger();
        Runnable hold = () -> {
            if (holdAfter > 0 && begun.incrementAndGet() > holdAfter) {
                if (held.incrementAndGet() == HANDLERS) {
                    System.out.println(HOLDING);
                }
                forEver();
            }
        };
        Worker worker = Jobs.over(rowlock)
                .worker()
                .concurrency(HANDLERS)
                .listenOn(pool)
                .listener(new JobsListener() {
                    @Override
                    public void onEnded(Ended ended) {
                        if (ended.outcome() == Outcome.DONE) {
                            insert(rowlock, "completion", ended.job().id());
                        }
                    }
                })
                .handle(
                        "in the transaction",
                        job -> rowlock.run(tx -> {
                            tx.query("INSERT INTO effect VALUES (?)", job.id());
                            job.completeIn(tx);
                            hold.run();
                        }))
                .handle("beside", job -> {
                    insert(rowlock, "run", job.id());
                    hold.run();
                })
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(worker::stop));
        forEver();
    }

    private static void insert(Rowlock rowlock, String table, long id) {
        rowlock.query("INSERT INTO " + table + " VALUES (?)", id);
    }

    private static void forEver() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
