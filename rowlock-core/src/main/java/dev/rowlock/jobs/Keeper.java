package dev.rowlock.jobs;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The heartbeat: prolongs the leases of all jobs in hand in one statement, and takes back the jobs of workers whose heart has stopped.
 * Stops last.
 */
final class Keeper implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);
    private static final int MOST_RENEWALS = 3;

    private final JobStore store;
    private final Leases leases;
    private final Claims claims;
    private final WorkerSettings settings;
    private final Supplier<Collection<Job>> inHand;
    private final Signal claimer;
    private final Signal own;
    private volatile boolean stopping;

    Keeper(
            JobStore store,
            Leases leases,
            Claims claims,
            WorkerSettings settings,
            Supplier<Collection<Job>> inHand,
            Signal claimer) {
        this.store = store;
        this.leases = leases;
        this.claims = claims;
        this.settings = settings;
        this.inHand = inHand;
        this.claimer = claimer;
        this.own = new Signal(settings.nanoTime());
    }

    @Override
    public void run() {
        while (!stopping) {
            guarded("prolonging leases", this::renew);
            guarded("taking back jobs whose lease ended", this::takeBack);
            own.await(settings.beat());
        }
    }

    private static void guarded(String what, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            LOG.warn("{} failed; tried again at the next beat", what, e);
        }
    }

    /** Again if it took long: leases that were not due when it began may have run out meanwhile, and are next to be taken back. */
    private void renew() {
        for (int i = 1; i <= MOST_RENEWALS; i++) {
            long begin = settings.nanoTime().getAsLong();
            renewDue(begin);
            if (settings.nanoTime().getAsLong() - begin < settings.renewAfter().toNanos()) {
                break;
            }
        }
        // A job that could not be prolonged in time is another's as soon as somebody looks.
        inHand.get().stream()
                .filter(job -> job.isLeaseLost() && !job.isCompleting())
                .forEach(Job::lose);
    }

    private void renewDue(long begin) {
        long fresh = begin + settings.lease().minus(settings.renewAfter()).toNanos();
        List<Job> due = inHand.get().stream()
                .filter(job -> job.leaseEndsAt() - fresh <= 0)
                .toList();
        if (due.isEmpty()) {
            return;
        }
        Map<Long, Boolean> held = store.renew(due.stream().map(Job::claim).toList());
        for (Job job : due) {
            Boolean renewed = held.get(job.id());
            if (renewed != null && (renewed || job.isCompleting())) {
                job.renewed(begin + settings.lease().toNanos());
            } else if (renewed == null && !job.isCompleting()) {
                job.lose();
            }
        }
    }

    private void takeBack() {
        int taken = leases.takeBack();
        if (taken > 0) {
            settings.listener().tell(listener -> listener.onTakenBack(settings.queue(), taken));
            claims.lookFromFront(); // they are due for long, so they come first
            claimer.wake();
        }
    }

    void stop() {
        stopping = true;
        own.wake();
    }
}
