package dev.rowlock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.rowlock.benchmarks.QueueRunner.Entrant;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import ru.yoomoney.tech.dbqueue.settings.ProcessingMode;

/** Whether a queue's number is void when it does not do its work, and counts when it does. */
class QueueRunnerTest {
    private static final int JOBS = 20;

    private static Database database;
    private static Bench bench;

    @BeforeAll
    static void start() throws Exception {
        database = Database.start();
        bench = new Bench(
                database, new Bench.Plan(1, Duration.ofMillis(50), Duration.ofMillis(10), Duration.ofMillis(50), true));
    }

    @AfterAll
    static void stop() throws Exception {
        database.close();
    }

    private static Trial run(JobQueue.Factory factory) throws Exception {
        return new QueueRunner(bench, Duration.ofSeconds(20)).run(Entrant.of("queue", factory), JOBS);
    }

    /** What a queue gets wrong. */
    private enum Flaw {
        DROPS,
        DOUBLES,
        RUNS_STRANGERS,
        FORGETS_TO_COMPLETE,
        LOSES_WHAT_IT_KEEPS
    }

    /** A queue of one thread that runs all and deletes all, but for one flaw that concerns job 7. */
    private record Flawed(HikariDataSource pool, Flaw flaw) implements JobQueue {
        @Override
        public void create(Database all) throws SQLException {
            all.run("DROP TABLE IF EXISTS flawed", "CREATE TABLE flawed (id int)");
        }

        @Override
        public void enqueue(int from, int jobs) throws SQLException {
            run("INSERT INTO flawed SELECT generate_series(" + from + ", " + (from + jobs - 1) + ")");
        }

        @Override
        public void start(Handler handler) throws Exception {
            for (int job = 0; job < JOBS; job++) {
                int runs = job == 7 && flaw == Flaw.DROPS ? 0 : job == 7 && flaw == Flaw.DOUBLES ? 2 : 1;
                for (int i = 0; i < runs; i++) {
                    handler.run(job);
                }
            }
            if (flaw == Flaw.RUNS_STRANGERS) {
                handler.run(JOBS);
            }
            run("DELETE FROM flawed" + (flaw == Flaw.FORGETS_TO_COMPLETE ? " WHERE id <> 7" : ""));
        }

        private void run(String sql) throws SQLException {
            try (Connection connection = pool.getConnection();
                    var statement = connection.createStatement()) {
                statement.execute(sql);
            }
        }

        @Override
        public String left(int first) {
            return "SELECT count(*) FROM flawed";
        }

        @Override
        public String completed() {
            return flaw == Flaw.LOSES_WHAT_IT_KEEPS ? "SELECT " + (JOBS - 1) : "";
        }

        @Override
        public void close() {}
    }

    private static Trial flawed(Flaw flaw, Duration patience) throws Exception {
        return new QueueRunner(bench, patience).run(Entrant.of("flawed", pool -> new Flawed(pool, flaw)), JOBS);
    }

    @Test
    void jobThatNeverRanVoidsTheNumber() throws Exception {
        assertThat(flawed(Flaw.DROPS, Duration.ofSeconds(20)).wrong())
                .isEqualTo("of 20 jobs 1 never ran, and there were 0 runs too many");
    }

    @Test
    void jobThatRanTwiceVoidsTheNumber() throws Exception {
        assertThat(flawed(Flaw.DOUBLES, Duration.ofSeconds(20)).wrong())
                .isEqualTo("of 20 jobs 0 never ran, and there were 1 runs too many");
    }

    @Test
    void jobThatWasNeverEnqueuedVoidsTheNumber() throws Exception {
        assertThat(flawed(Flaw.RUNS_STRANGERS, Duration.ofSeconds(20)).wrong())
                .isEqualTo("of 20 jobs 0 never ran, and there were 1 runs too many");
    }

    @Test
    void jobThatIsNotCompletedInTheDatabaseVoidsTheNumber() throws Exception {
        assertThat(flawed(Flaw.FORGETS_TO_COMPLETE, Duration.ofMillis(100)).wrong())
                .startsWith("1 jobs are not completed after");
    }

    @Test
    void completedJobThatIsNotKeptVoidsTheNumber() throws Exception {
        assertThat(flawed(Flaw.LOSES_WHAT_IT_KEEPS, Duration.ofSeconds(20)).wrong())
                .isEqualTo("of 20 jobs 19 are kept as completed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ours", "ours in groups", "db-scheduler", "db-queue", "Quartz"})
    void queueThatDoesItsWorkHasANumber(String name) throws Exception {
        Trial trial = run(
                switch (name) {
                    case "ours" -> RowlockQueue.with(worker -> worker);
                    case "ours in groups" -> RowlockQueue.with(worker -> worker.completeInGroups(100));
                    case "db-scheduler" -> DbSchedulerQueue.forThroughput(4);
                    case "db-queue" -> DbQueueQueue.with(4, ProcessingMode.WRAP_IN_TRANSACTION, Duration.ofMinutes(1));
                    default -> QuartzQueue.with(4);
                });

        assertThat(trial.wrong()).isNull();
        assertThat(trial.perSecond()).isPositive();
    }

    @Test
    void jobsRunBesideAnOldSnapshot() throws Exception {
        Entrant entrant = Entrant.of("ours", RowlockQueue.with(worker -> worker));

        Map<String, List<Trial>> trials = new QueueRunner(bench, Duration.ofSeconds(20))
                .cleanAndBesideASnapshot(List.of(entrant), Duration.ofMillis(100), ", held");

        assertThat(trials).containsOnlyKeys("ours", "ours, held");
        assertThat(trials.values())
                .allSatisfy(some -> assertThat(some)
                        .hasSize(bench.plan().repeats())
                        .allSatisfy(trial -> assertThat(trial.wrong()).isNull()));
        assertThat(trials.get("ours, held")).allMatch(trial -> trial.entrant().equals("ours, held"));
    }

    /** A queue that works, but for as long as somebody holds a snapshot. */
    private record Sensitive(HikariDataSource pool, JobQueue queue) implements JobQueue {
        private static JobQueue over(HikariDataSource pool) throws Exception {
            return new Sensitive(pool, DbSchedulerQueue.forThroughput(4).over(pool));
        }

        @Override
        public void create(Database all) throws Exception {
            queue.create(all);
        }

        @Override
        public void enqueue(int from, int jobs) throws Exception {
            queue.enqueue(from, jobs);
        }

        @Override
        public void start(Handler handler) throws Exception {
            if (database.number("SELECT count(*) FROM pg_stat_activity WHERE state = 'idle in transaction'") == 0) {
                queue.start(handler);
            }
        }

        @Override
        public String left(int first) {
            return queue.left(first);
        }

        @Override
        public String completed() {
            return queue.completed();
        }

        @Override
        public void close() throws Exception {
            queue.close();
        }
    }

    @Test
    void queueThatDoesNotGetThroughBesideASnapshotVoidsItsOwnNumbersAlone() throws Exception {
        Entrant ours = Entrant.of("ours", RowlockQueue.with(worker -> worker));
        Entrant sensitive = Entrant.of("sensitive", Sensitive::over);

        Map<String, List<Trial>> trials = new QueueRunner(bench, Duration.ofSeconds(2))
                .cleanAndBesideASnapshot(List.of(ours, sensitive), Duration.ofMillis(1), ", held");

        assertThat(trials.get("sensitive"))
                .allSatisfy(trial -> assertThat(trial.wrong()).isNull());
        assertThat(trials.get("sensitive, held"))
                .isNotEmpty()
                .allSatisfy(trial -> assertThat(trial.wrong())
                        .matches("beside the snapshot, after 0 jobs: [0-9]+ jobs are not completed after 2 s"));
        assertThat(trials.get("ours, held"))
                .isNotEmpty()
                .allSatisfy(trial -> assertThat(trial.wrong()).isNull());
    }
}
