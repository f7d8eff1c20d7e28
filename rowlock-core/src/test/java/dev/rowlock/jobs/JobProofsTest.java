package dev.rowlock.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.Isolation;
import dev.rowlock.Row;
import dev.rowlock.Rowlock;
import dev.rowlock.RowlockSchema;
import dev.rowlock.prover.Race;
import dev.rowlock.prover.RaceDatabase;
import dev.rowlock.prover.engine.Verdict;
import dev.rowlock.prover.engine.Verdict.Anomaly;
import dev.rowlock.prover.junit.RaceExtension;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What workers and callers do to the queue at the same time, in all orders; beside each form its broken twin. */
@ExtendWith(RaceExtension.class)
class JobProofsTest {
    private static final Duration LEASE = Duration.ofHours(1);
    private static final String JOB = "INSERT INTO rowlock_job"
            + " (id, queue, type, payload, priority, run_at, max_attempts, state, lease_until, attempts, fence,"
            + " group_key, group_place) VALUES ";
    private static final String READY = "'2026-01-01', 9, 'ready', NULL, 0, 0";
    private static final String ENDED_LEASE = "'2026-01-01', 9, 'running', '2026-01-02', 1, 1";
    private static final String DEAD = "'2026-01-01', 9, 'dead', NULL, 9, 9";

    private static final String KEYED =
            "INSERT INTO rowlock_job (id, queue, type, payload, priority, run_at, max_attempts,"
                    + " state, lease_until, attempts, fence, unique_key) VALUES (1001, 'default', 't', 'job 1001', 5, "
                    + ENDED_LEASE + ", 'k')";

    private RaceDatabase database;
    private Rowlock rowlock;

    @BeforeEach
    void open(RaceDatabase given) {
        database = given.execute(
                "CREATE TABLE effect (job text NOT NULL)",
                "CREATE TABLE naive (key text NOT NULL, state text NOT NULL)");
        rowlock = Rowlock.over(database.dataSource());
        RowlockSchema.install(rowlock);
    }

    private static String job(int id, String state, String group) {
        String place = group == null ? "NULL, NULL" : "'" + group + "', " + (id - 1000);
        return JOB + "(" + id + ", 'default', 't', 'job " + id + "', 5, " + state + ", " + place + ")";
    }

    private Race race(String... given) {
        return Race.on(database)
                .given(given)
                .ignoring(
                        "rowlock_job.id",
                        "rowlock_job.group_place",
                        "rowlock_job.run_at",
                        "rowlock_job.enqueued_at",
                        "rowlock_job.lease_until");
    }

    /** In this way, and said in these words. */
    private static void assertViolated(Race race, Anomaly anomaly, String... why) {
        assertThat(race.explore().verdict()).isInstanceOfSatisfying(Verdict.Violated.class, violated -> {
            assertThat(violated.anomaly()).isEqualTo(anomaly);
            assertThat(violated.why()).contains(why);
        });
    }

    private Claims claims() {
        return new Claims(rowlock, "default", List.of("t"), LEASE, System::nanoTime);
    }

    private JobStore store() {
        return new JobStore(rowlock, LEASE);
    }

    /** In a transaction that stays open for a step, so that others meet what it has locked. */
    private List<String> claim(int limit) {
        return rowlock.call(tx -> payloads(claims().claim(limit)));
    }

    private static List<String> payloads(List<Claim> claims) {
        return claims.stream().map(Claim::payload).toList();
    }

    private Claim firstClaim(long id) {
        return new Claim(id, "default", "t", "job " + id, 1, 9, 1, null, 0);
    }

    private Job held(Claim claim) {
        return new Job(claim, System::nanoTime, System.nanoTime() + LEASE.toNanos());
    }

    private static final String ONCE_EACH = "SELECT coalesce(max(attempts), 0) <= 1 FROM rowlock_job";

    @Test
    void threeClaimersOfTwoJobs() {
        race(job(1001, READY, null), job(1002, READY, null))
                .actor("A", () -> claim(1).size())
                .actor("B", () -> claim(1).size())
                .actor("C", () -> claim(1).size())
                .invariant("each is claimed once", ONCE_EACH)
                .observingDataOnly()
                .prove();
    }

    private String claimWhatWasRead() {
        return rowlock.call(tx -> {
            List<Row> ready = tx.query("SELECT id, payload FROM rowlock_job WHERE state = 'ready' ORDER BY id LIMIT 1");
            for (Row row : ready) {
                tx.query("""
                        UPDATE rowlock_job
                        SET state = 'running', attempts = attempts + 1, fence = fence + 1, lease_until = now()
                        WHERE id = ?""", row.getLong("id"));
            }
            return ready.toString();
        });
    }

    @Test
    void claimOfWhatWasReadBefore() {
        assertViolated(
                race(job(1001, READY, null))
                        .actor("A", this::claimWhatWasRead)
                        .actor("B", this::claimWhatWasRead)
                        .invariant("each is claimed once", ONCE_EACH),
                Anomaly.LOST_UPDATE,
                "it does not hold that",
                "each is claimed once");
    }

    private String takeOver() {
        int taken = rowlock.call(tx -> new Leases(rowlock, "default", System::nanoTime).takeBack());
        List<Claim> claims = claims().claim(1);
        return taken + " "
                + claims.stream().map(claim -> store().complete(claim)).toList();
    }

    @Test
    void staleCompletionAgainstATakeOver() {
        race(job(1001, ENDED_LEASE, null))
                .actor("Old", () -> store().complete(firstClaim(1001)))
                .actor("New", this::takeOver)
                .prove();
    }

    @Test
    void completionInAGroupAgainstATakeOver() {
        race(job(1001, ENDED_LEASE, null))
                .actor(
                        "Old",
                        () -> store().completeAll(List.of(firstClaim(1001))).size())
                .actor("New", this::takeOver)
                .prove();
    }

    @Test
    void failureAgainstATakeOver() {
        race(job(1001, ENDED_LEASE, null))
                .actor("Old", () -> store().fail(firstClaim(1001), Duration.ofHours(9), "no"))
                .actor("New", this::takeOver)
                .prove();
    }

    /** A renewal that meets a take-over under way leaves the row alone; the next one is told. */
    @Test
    void renewalAgainstATakeOverAndACompletion() {
        race(job(1001, ENDED_LEASE, null))
                .actor(
                        "Beat",
                        () -> rowlock.call(
                                tx -> store().renew(List.of(firstClaim(1001))).size()))
                .actor("New", () -> new Leases(rowlock, "default", System::nanoTime).takeBack())
                .actor("Old", () -> store().complete(firstClaim(1001)))
                .invariant(
                        "it is done, taken back or held, with one attempt",
                        "SELECT count(*) = 0 OR max(attempts) = 1 AND max(fence) = 1 FROM rowlock_job")
                .observingDataOnly()
                .prove();
    }

    /** Who claims gets it only after it was taken back, and then the old one's completion is stale. */
    @Test
    void completionATakeOverAndAClaim() {
        race(job(1001, ENDED_LEASE, null))
                .actor("Old", () -> store().complete(firstClaim(1001)))
                .actor("Back", () -> new Leases(rowlock, "default", System::nanoTime).takeBack())
                .actor("New", () -> claim(1).size())
                .invariant(
                        "it is done, or ready, or held by one of the two",
                        "SELECT count(*) = 0 OR bool_and(state = 'ready' AND fence = 1 OR state = 'running' AND fence IN (1, 2))"
                                + " FROM rowlock_job")
                .observingDataOnly()
                .prove();
    }

    private String completeWithoutFence() {
        return rowlock.call(tx -> {
            int ended = tx.execute(
                    "UPDATE rowlock_job SET payload = 'by the old one' WHERE id = 1001 AND state = 'running'");
            return ended == 1 ? "DONE" : "STALE";
        });
    }

    /** Both are told that the job is theirs. */
    @Test
    void completionThatDoesNotCheckTheFence() {
        assertViolated(
                race(job(1001, ENDED_LEASE, null))
                        .actor("Old", this::completeWithoutFence)
                        .actor("New", () -> {
                            new Leases(rowlock, "default", System::nanoTime).takeBack();
                            return claims().claim(1).size();
                        })
                        .invariant(
                                "what the second holds is not touched by the first",
                                "SELECT count(*) = 0 FROM rowlock_job WHERE fence = 2 AND payload = 'by the old one'"
                                        + " AND attempts = 2"),
                Anomaly.BROKEN_INVARIANT,
                "it does not hold that",
                "what the second holds is not touched by the first");
    }

    private String effectThenComplete(Rowlock by, Claim claim) {
        try {
            return by.call(tx -> {
                held(claim).completeIn(tx);
                assertThat(tx.execute("INSERT INTO effect VALUES (?)", claim.payload()))
                        .isEqualTo(1);
                return "done";
            });
        } catch (StaleJobException e) {
            return "stale";
        }
    }

    private String effectOfANewClaim(Rowlock by) {
        new Leases(rowlock, "default", System::nanoTime).takeBack();
        return claims().claim(1).stream()
                .map(claim -> effectThenComplete(by, claim))
                .toList()
                .toString();
    }

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void effectWithTheCompletionHappensOnce(Isolation level) {
        Rowlock caller = rowlock.withIsolation(level);
        race(job(1001, ENDED_LEASE, null))
                .actor("Old", () -> effectThenComplete(caller, firstClaim(1001)))
                .actor("New", () -> effectOfANewClaim(caller))
                .invariant("one effect", "SELECT count(*) <= 1 FROM effect")
                .prove();
    }

    private String effectBesideTheCompletion(Claim claim) {
        assertThat(rowlock.execute("INSERT INTO effect VALUES (?)", claim.payload()))
                .isEqualTo(1);
        return store().complete(claim).toString();
    }

    @Test
    void effectBesideTheCompletionHappensTwice() {
        assertViolated(
                race(job(1001, ENDED_LEASE, null))
                        .actor("Old", () -> effectBesideTheCompletion(firstClaim(1001)))
                        .actor("New", () -> {
                            new Leases(rowlock, "default", System::nanoTime).takeBack();
                            return claims().claim(1).stream()
                                    .map(this::effectBesideTheCompletion)
                                    .toList();
                        })
                        .invariant("one effect", "SELECT count(*) <= 1 FROM effect"),
                Anomaly.BROKEN_INVARIANT,
                "it does not hold that",
                "one effect");
    }

    private String enqueue(Rowlock by, JobRequest request) {
        Jobs jobs = Jobs.over(by).withoutNotify();
        return by.call(tx -> jobs.enqueue(tx, request).getClass().getSimpleName());
    }

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void uniqueKeyEnqueuedTwice(Isolation level) {
        Rowlock caller = rowlock.withIsolation(level);
        JobRequest request = JobRequest.of("t", "x").withUniqueKey("k");
        race().actor("A", () -> enqueue(caller, request))
                .actor("B", () -> enqueue(caller, request))
                .invariant("one job", "SELECT count(*) = 1 FROM rowlock_job")
                .prove();
    }

    /** While the job that has the key is being done: whoever is told of a duplicate was told of a job that was there. */
    @ParameterizedTest
    @EnumSource(Isolation.class)
    void uniqueKeyEnqueuedWhileItsJobIsDone(Isolation level) {
        Rowlock caller = rowlock.withIsolation(level);
        JobRequest request = JobRequest.of("t", "x").withUniqueKey("k");
        race(KEYED)
                .actor("A", () -> enqueue(caller, request))
                .actor("Done", () -> store().complete(firstClaim(1001)))
                .invariant("one job at most", "SELECT count(*) <= 1 FROM rowlock_job")
                .prove();
    }

    @Test
    void uniqueKeyEnqueuedTwiceWhileItsJobIsDone() {
        JobRequest request = JobRequest.of("t", "x").withUniqueKey("k");
        race(KEYED)
                .actor("A", () -> enqueue(rowlock, request))
                .actor("B", () -> enqueue(rowlock, request))
                .actor("Done", () -> store().complete(firstClaim(1001)))
                .invariant("one job at most", "SELECT count(*) <= 1 FROM rowlock_job")
                .prove();
    }

    private String enqueueIfAbsent() {
        return rowlock.call(tx -> {
            if (!tx.query("SELECT 1 FROM naive WHERE key = 'k'").isEmpty()) {
                return "Duplicate";
            }
            assertThat(tx.execute("INSERT INTO naive VALUES ('k', 'ready')")).isEqualTo(1);
            return "Enqueued";
        });
    }

    @Test
    void keyThatIsLookedForFirst() {
        assertViolated(
                race().actor("A", this::enqueueIfAbsent)
                        .actor("B", this::enqueueIfAbsent)
                        .invariant("one job", "SELECT count(*) <= 1 FROM naive"),
                Anomaly.PHANTOM,
                "it does not hold that",
                "one job");
    }

    private static final String IN_ORDER = """
            SELECT NOT EXISTS (SELECT 1
                               FROM rowlock_job AS later
                               JOIN rowlock_job AS earlier ON earlier.group_key = later.group_key
                               WHERE later.state = 'running'
                                 AND earlier.state <> 'dead'
                                 AND earlier.group_place < later.group_place)""";
    private static final String ONE_RUNS = "SELECT count(*) <= 1 FROM rowlock_job WHERE state = 'running'";

    @ParameterizedTest
    @EnumSource(names = {"READ_COMMITTED", "REPEATABLE_READ"})
    void jobsOfAGroupAreClaimedInTheOrderOfTheirCommits(Isolation level) {
        Rowlock caller = rowlock.withIsolation(level);
        race().actor("A", () -> enqueue(caller, JobRequest.of("t", "x").inGroup("g")))
                .actor("B", () -> enqueue(caller, JobRequest.of("t", "x").inGroup("g")))
                .actor("C", () -> claim(2).size())
                .invariant("in order", IN_ORDER)
                .invariant("one at a time", ONE_RUNS)
                .prove();
    }

    private int enqueueWithoutTheGroupsLock() {
        return rowlock.call(tx -> tx.execute("""
                INSERT INTO rowlock_job (queue, type, payload, priority, run_at, max_attempts, group_key, group_place)
                VALUES ('default', 't', 'x', 5, now(), 9, 'g', nextval('rowlock_job_place'))"""));
    }

    @Test
    void placesThatAreDrawnWithoutTheGroupsLock() {
        assertViolated(
                race().actor("A", this::enqueueWithoutTheGroupsLock)
                        .actor("B", this::enqueueWithoutTheGroupsLock)
                        .actor("C", () -> claim(2).size())
                        .invariant("in order", IN_ORDER),
                Anomaly.BROKEN_INVARIANT,
                "it does not hold that",
                "in order");
    }

    @Test
    void headsOfAGroupWhileOneIsBeingClaimed() {
        race(job(1001, READY, "g"), job(1002, READY, "g"), job(1003, READY, "g"))
                .actor("A", () -> claim(1).size())
                .actor("B", () -> claim(1).size())
                .actor(
                        "C",
                        () -> rowlock.call(tx -> payloads(claims().claimNextInGroups(
                                                List.of(new Claim(1, "default", "t", "", 1, 9, 1, "g", 0)))))
                                .size())
                .invariant("in order", IN_ORDER)
                .invariant("one at a time", ONE_RUNS)
                .observingDataOnly()
                .prove();
    }

    /** The first that is not locked is not the first. */
    private int claimHeadThatSkips() {
        return rowlock.call(tx -> tx.execute("""
                WITH head AS MATERIALIZED (
                    SELECT id
                    FROM rowlock_job AS j
                    WHERE state = 'ready'
                      AND NOT EXISTS (SELECT 1 FROM rowlock_job AS r WHERE r.group_key = j.group_key AND r.state = 'running')
                    ORDER BY group_place
                    LIMIT 1
                    FOR UPDATE SKIP LOCKED
                )
                UPDATE rowlock_job AS j
                SET state = 'running', attempts = 1, fence = 1, lease_until = now() + interval '1 hour'
                FROM head
                WHERE j.id = head.id"""));
    }

    @Test
    void headThatIsLookedForAmongTheUnlocked() {
        assertViolated(
                race(job(1001, READY, "g"), job(1002, READY, "g"))
                        .actor("A", this::claimHeadThatSkips)
                        .actor("B", this::claimHeadThatSkips)
                        .invariant("one at a time", ONE_RUNS),
                Anomaly.WRITE_SKEW,
                "it does not hold that",
                "one at a time");
    }

    @Test
    void requeuedJobOfAGroupComesLast() {
        race(job(1001, DEAD, "g"), job(1002, READY, "g"))
                .given("SELECT setval('rowlock_job_place', 1000)")
                .actor(
                        "A",
                        () -> rowlock.call(tx ->
                                new Requeuer(rowlock).requeue(1001).getClass().getSimpleName()))
                .actor("B", () -> claim(1).size())
                .actor("C", () -> claim(1).size())
                .invariant("in order", IN_ORDER)
                .invariant("one at a time", ONE_RUNS)
                .observingDataOnly()
                .prove();
    }

    @Test
    void requeuedJobThatKeepsItsPlace() {
        assertViolated(
                race(job(1001, DEAD, "g"), job(1002, READY, "g"))
                        .actor(
                                "A",
                                () -> rowlock.call(
                                        tx -> tx.execute("UPDATE rowlock_job SET state = 'ready' WHERE id = 1001")))
                        .actor("B", () -> claim(1).size())
                        .actor("C", () -> claim(1).size())
                        .invariant("one at a time", ONE_RUNS),
                Anomaly.BROKEN_INVARIANT,
                "it does not hold that",
                "one at a time");
    }

    @Test
    void twoRequeuesAndAClaim() {
        race(job(1001, DEAD, null))
                .actor("A", () -> new Requeuer(rowlock).requeue(1001).getClass().getSimpleName())
                .actor("B", () -> new Requeuer(rowlock).requeue(1001).getClass().getSimpleName())
                .actor("C", () -> claim(1).size())
                .observingDataOnly()
                .prove();
    }
}
