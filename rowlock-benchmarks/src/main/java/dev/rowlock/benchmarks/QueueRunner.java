package dev.rowlock.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures how fast queues are emptied: jobs are enqueued, then a worker is started, and the clock runs from the start of the first
 * handler until the database has all jobs as completed. What happens before that, such as a first poll, is not measured.
 */
final class QueueRunner {
    /** Handlers at once of each. */
    static final int THREADS = 20;
    /** Connections of each: one for each handler, and some for what a worker does beside them. */
    static final int CONNECTIONS = 24;

    private static final int PARTS = 2;
    private static final int FIRST_GUESS = 100;
    private static final int MOST_SLOW = 2;
    private static final int FEWEST = 20;
    private static final int MOST = 400_000;
    private static final long GLANCE_MILLIS = 500;
    private static final long SHORT_GLANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Bench bench;
    private final Duration patience;

    /**
     * @param patience for all jobs of a trial to run
     */
    QueueRunner(Bench bench, Duration patience) {
        this.bench = bench;
        this.patience = patience;
    }

    /**
     * Who takes part.
     *
     * @param slow whether each trial takes so long that a quick run has only two
     */
    record Entrant(String name, JobQueue.Factory factory, boolean slow) {
        static Entrant of(String name, JobQueue.Factory factory) {
            return new Entrant(name, factory, false);
        }

        static Entrant slow(String name, JobQueue.Factory factory) {
            return new Entrant(name, factory, true);
        }
    }

    /** One after the other, then all again, each with as many jobs as it runs in the length of a trial. */
    Map<String, List<Trial>> alternate(List<Entrant> entrants) throws Exception {
        Map<String, Integer> jobs = new LinkedHashMap<>();
        for (Entrant entrant : entrants) {
            jobs.put(entrant.name(), jobsOfATrial(entrant));
        }
        Map<String, List<Trial>> trials = new LinkedHashMap<>();
        for (int i = 1; i <= bench.plan().repeats(); i++) {
            int turn = i;
            for (Entrant entrant : entrants.stream()
                    .filter(one -> turn <= MOST_SLOW || !isShort(one))
                    .toList()) {
                trials.computeIfAbsent(entrant.name(), none -> new ArrayList<>())
                        .add(run(entrant, jobs.getOrDefault(entrant.name(), FEWEST)));
            }
        }
        return trials;
    }

    /**
     * The same, in {@value #PARTS} parts: some turns in a clean database, then beside one snapshot, which is so old when the first of
     * its turns begins and beside which all have been at work until then, as many turns more. A snapshot for each turn would take
     * hours.
     *
     * @param besideIt how the names go on for what is measured beside the snapshot
     */
    Map<String, List<Trial>> cleanAndBesideASnapshot(List<Entrant> entrants, Duration age, String besideIt)
            throws Exception {
        Map<Entrant, Integer> jobs = new LinkedHashMap<>();
        for (Entrant entrant : entrants) {
            jobs.put(entrant, jobsOfATrial(entrant));
        }
        Map<String, List<Trial>> trials = new LinkedHashMap<>();
        Map<Entrant, String> gaveUp = new LinkedHashMap<>();
        int left = bench.plan().repeats();
        for (int part = 0; part < PARTS; part++) {
            int turns = (left + PARTS - part - 1) / (PARTS - part);
            left -= turns;
            for (int i = 0; i < turns; i++) {
                for (Entrant entrant : entrants) {
                    trials.computeIfAbsent(entrant.name(), none -> new ArrayList<>())
                            .add(run(entrant, jobs.getOrDefault(entrant, FEWEST)));
                }
            }
            for (Trial trial : besideASnapshot(jobs, age, turns, gaveUp)) {
                Trial renamed = trial.named(trial.entrant() + besideIt);
                trials.computeIfAbsent(renamed.entrant(), none -> new ArrayList<>())
                        .add(renamed);
            }
        }
        return trials;
    }

    /** @param gaveUp who did not get through its jobs beside a snapshot, and why: it is not asked again beside one */
    private List<Trial> besideASnapshot(
            Map<Entrant, Integer> jobs, Duration age, int turns, Map<Entrant, String> gaveUp) throws Exception {
        List<Trial> trials = new ArrayList<>();
        Map<Entrant, Integer> done = new LinkedHashMap<>();
        for (Entrant entrant : jobs.keySet()) {
            withQueue(entrant, queue -> queue.create(bench.database()));
        }
        try (Connection session = bench.database().dataSource().getConnection()) {
            holdSnapshot(session);
            long from = System.nanoTime();
            while (System.nanoTime() - from < age.toNanos()) {
                for (Map.Entry<Entrant, Integer> one : jobs.entrySet()) {
                    if (!gaveUp.containsKey(one.getKey())) {
                        growOrGiveUp(one.getKey(), done, one.getValue(), gaveUp);
                    }
                }
            }
            for (int i = 0; i < turns; i++) {
                for (Map.Entry<Entrant, Integer> one : jobs.entrySet()) {
                    Entrant entrant = one.getKey();
                    String why = gaveUp.get(entrant);
                    if (why != null) {
                        trials.add(Trial.wrong(entrant.name(), why));
                        continue;
                    }
                    int first = done.getOrDefault(entrant, 0);
                    withQueue(entrant, queue -> queue.enqueue(first, one.getValue()));
                    Trial trial = settledAndMeasured(entrant, first, one.getValue());
                    trials.add(trial);
                    done.merge(entrant, one.getValue(), Integer::sum);
                    if (trial.wrong() != null) {
                        gaveUp.put(entrant, "in an earlier turn: " + trial.wrong());
                    }
                }
            }
        }
        return trials;
    }

    private void growOrGiveUp(Entrant entrant, Map<Entrant, Integer> done, int jobs, Map<Entrant, String> gaveUp)
            throws Exception {
        try {
            done.merge(entrant, grow(entrant, done, jobs), Integer::sum);
        } catch (WrongResultException e) {
            gaveUp.put(
                    entrant,
                    "beside the snapshot, after " + done.getOrDefault(entrant, 0) + " jobs: " + e.getMessage());
        }
    }

    /** Lets the queue run so many jobs, whose dead rows stay. */
    private int grow(Entrant entrant, Map<Entrant, Integer> done, int jobs) throws Exception {
        int first = done.getOrDefault(entrant, 0);
        withQueue(entrant, queue -> {
            Ran round = new Ran(first, jobs);
            queue.enqueue(first, jobs);
            queue.start(round);
            awaitEmpty(queue, round);
            round.requireEachOnce();
        });
        return jobs;
    }

    @FunctionalInterface
    private interface QueueWork {
        void with(JobQueue queue) throws Exception;
    }

    private void withQueue(Entrant entrant, QueueWork work) throws Exception {
        try (HikariDataSource pool = bench.database().pool(CONNECTIONS);
                JobQueue queue = entrant.factory().over(pool)) {
            work.with(queue);
        }
    }

    private int jobsOfATrial(Entrant entrant) throws Exception {
        double rate = warm(entrant, FIRST_GUESS);
        if (!isShort(entrant)) {
            rate = warm(entrant, within(rate, bench.plan().warmUp()));
        }
        return within(rate, bench.plan().trial());
    }

    private boolean isShort(Entrant entrant) {
        return bench.plan().quick() && entrant.slow();
    }

    private double warm(Entrant entrant, int jobs) throws Exception {
        Trial trial = run(entrant, jobs);
        if (trial.wrong() != null) {
            throw new WrongResultException(entrant.name() + ": " + trial.wrong());
        }
        return trial.perSecond();
    }

    private static int within(double rate, Duration time) {
        return (int) Math.max(FEWEST, Math.min(MOST, rate * time.toMillis() / 1000));
    }

    Trial run(Entrant entrant, int jobs) throws Exception {
        withQueue(entrant, queue -> {
            queue.create(bench.database());
            queue.enqueue(0, jobs);
        });
        return settledAndMeasured(entrant, 0, jobs);
    }

    /** All that was done before the clock starts is in the statistics only when its sessions have ended. */
    private Trial settledAndMeasured(Entrant entrant, int first, int jobs) throws Exception {
        bench.database().awaitOthers(1);
        bench.database().run("VACUUM ANALYZE", "CHECKPOINT");
        return measure(entrant, first, jobs);
    }

    private static void holdSnapshot(Connection session) throws SQLException {
        session.setAutoCommit(false);
        session.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try (var statement = session.createStatement()) {
            statement.execute("SELECT count(*) FROM pg_class");
        }
    }

    private Trial measure(Entrant entrant, int first, int jobs) throws Exception {
        Usage before = Usage.now(bench.database());
        Ran ran = new Ran(first, jobs);
        String wrong = null;
        double perSecond = Double.NaN;
        try (HikariDataSource pool = bench.database().pool(CONNECTIONS)) {
            String completed;
            try (JobQueue queue = entrant.factory().over(pool)) {
                queue.start(ran);
                awaitEmpty(queue, ran);
                perSecond = jobs / ((System.nanoTime() - ran.firstAt()) / 1e9);
                completed = queue.completed();
            }
            // Only now no late second run can come any more.
            ran.requireEachOnce();
            if (!completed.isEmpty()) {
                long kept = bench.database().number(completed);
                WrongResultException.require(
                        kept == first + jobs, "of " + (first + jobs) + " jobs " + kept + " are kept as completed");
            }
        } catch (WrongResultException e) {
            wrong = e.getMessage();
        }
        return new Trial(
                entrant.name(),
                wrong == null ? perSecond : Double.NaN,
                Double.NaN,
                Double.NaN,
                used(before, jobs),
                wrong);
    }

    private Usage used(Usage before, int jobs) throws SQLException {
        bench.database().awaitOthers(1);
        return Usage.now(bench.database()).perOperationSince(before, jobs);
    }

    /** Returns when the database has all as completed. */
    private void awaitEmpty(JobQueue queue, Ran ran) throws Exception {
        long from = System.nanoTime();
        boolean empty = false;
        // A queue that has lost a job will be empty and never have run it.
        while (!ran.await(GLANCE_MILLIS) && !empty) {
            empty = left(queue, ran) == 0;
            requirePatience(from, queue, ran);
        }
        while (left(queue, ran) > 0) {
            requirePatience(from, queue, ran);
            LockSupport.parkNanos(SHORT_GLANCE_NANOS);
        }
    }

    private void requirePatience(long from, JobQueue queue, Ran ran) throws Exception {
        if (System.nanoTime() - from > patience.toNanos()) {
            throw new WrongResultException(
                    left(queue, ran) + " jobs are not completed after " + patience.toSeconds() + " s");
        }
    }

    private long left(JobQueue queue, Ran ran) throws SQLException {
        return bench.database().number(queue.left(ran.first()));
    }
}
