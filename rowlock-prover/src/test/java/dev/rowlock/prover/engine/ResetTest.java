package dev.rowlock.prover.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.prover.scenario.Scenarios;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every schedule begins with the same data, whatever the one before has done to them. */
class ResetTest {

    /** Each begins with rows, sequences, keys or triggers of another kind; a schedule that began otherwise would be judged wrong. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TABLE t (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, n int, twice int GENERATED ALWAYS AS (n * 2) STORED);",
                "CREATE TABLE t (id serial PRIMARY KEY, n int UNIQUE);",
                "CREATE TABLE t (id serial, n int) PARTITION BY RANGE (n);"
                        + " CREATE TABLE t1 PARTITION OF t FOR VALUES FROM (0) TO (3); CREATE TABLE t2 PARTITION OF t DEFAULT;",
                "CREATE TABLE t (id serial PRIMARY KEY, n int);"
                        + " CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.n > 90 THEN RAISE 'no'; END IF;"
                        + " RETURN NEW; END $$;"
                        + " CREATE TRIGGER refuse BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION refuse();",
                "CREATE TABLE t (id serial PRIMARY KEY, n int);"
                        + " CREATE RULE few AS ON INSERT TO t WHERE NEW.n > 90 DO INSTEAD NOTHING;",
                "CREATE TABLE t (id serial PRIMARY KEY, n int); CREATE TABLE child (of int REFERENCES t ON DELETE CASCADE);"
                        + " INSERT INTO t (n) VALUES (50); INSERT INTO child VALUES (1);",
            })
    void rowsAndSequencesAreBroughtBack(String tables) {
        Report report = explore("""
                setup { %s INSERT INTO t (n) VALUES (1), (2); }
                session a step a1 { INSERT INTO t (n) VALUES (10); } step a2 { DELETE FROM t WHERE n = 1; }
                session b step b1 { UPDATE t SET n = 5 WHERE n = 2; } step b2 { SELECT count(*) FROM t WHERE n < 5; }
                invariant "the number that was next" { SELECT max(id) <= 4 FROM t; }
                observe data
                """.formatted(tables));

        assertThat(report.verdict()).isInstanceOf(Verdict.Proved.class);
        assertThat(report.schedules()).isGreaterThan(1);
        assertThat(report.outcomes()).hasSizeLessThanOrEqualTo(2);
    }

    /** What is written to an heir is known by its parent's name, and must come back all the same. */
    @Test
    void rowsOfAnHeirAreBroughtBack() {
        Report report = explore("""
                setup { CREATE TABLE p (n int); CREATE TABLE h () INHERITS (p); INSERT INTO h VALUES (1); }
                session a step a1 { UPDATE h SET n = n + 1; }
                session b step b1 { UPDATE h SET n = n + 1; }
                """);

        assertThat(report.schedules()).isEqualTo(2);
        assertThat(report.outcomes())
                .singleElement()
                .satisfies(o -> assertThat(o.outcome()).contains("(3)"));
    }

    @Test
    void whatAnActorDoesToTheSchemaIsUndone() {
        Report report = explore("""
                setup { CREATE TABLE t (n int); INSERT INTO t VALUES (1); }
                session a step alter { ALTER TABLE t ADD COLUMN more int DEFAULT 7; } step drop { DROP TABLE IF EXISTS other; }
                session b step make { CREATE TABLE IF NOT EXISTS other (n int); } step look { SELECT count(*) FROM t; }
                observe data
                """);

        assertThat(report.exhaustive()).isTrue();
        assertThat(report.schedules()).isEqualTo(6);
        assertThat(report.verdict()).isInstanceOf(Verdict.Proved.class);
    }

    /** More schedules than a page has room for: the table is emptied in between, and nothing of that is seen. */
    @Test
    void manySchedulesFindTheRowsInTheSameOrder() {
        Report report = explore("""
                setup { CREATE TABLE t (id int PRIMARY KEY, note text); INSERT INTO t SELECT i, repeat('x', 100) FROM generate_series(1, 4) i; }
                session a step a1 { UPDATE t SET note = note || 'a' WHERE id = 1; } step a2 { SELECT id FROM t LIMIT 1; }
                          step a3 { UPDATE t SET note = note || 'b' WHERE id = 2; }
                session b step b1 { SELECT 1; } step b2 { SELECT id FROM t ORDER BY ctid LIMIT 1; } step b3 { SELECT 1; }
                observe data
                """);

        assertThat(report.verdict()).isInstanceOf(Verdict.Proved.class);
        assertThat(report.outcomes()).hasSize(1);
    }

    @Test
    void budgetIsFollowedByTriesAtRandomThatFindWhatItMissed() {
        Explorer.Limits one = new Explorer.Limits(1, Duration.ofMinutes(1), Duration.ofSeconds(20), false);

        Report report = TestServer.explore(Scenarios.parse("test", """
                setup { CREATE TABLE t (n int); INSERT INTO t VALUES (0); }
                session a transaction step ra into n { SELECT n FROM t; } step wa { UPDATE t SET n = :n + 1; }
                session b transaction step rb into n { SELECT n FROM t; } step wb { UPDATE t SET n = :n + 1; }
                """), Optional.empty(), one);

        assertThat(report.exhaustive()).isFalse();
        assertThat(report.verdict()).isInstanceOf(Verdict.Violated.class);
    }

    @Test
    void timeOutMakesTheOutcomeAMatterOfTheClock() {
        Report report = explore("""
                setup { CREATE TABLE t (n int); INSERT INTO t VALUES (0); }
                session a step slow { SET statement_timeout = '20ms'; SELECT pg_sleep(10); }
                """);

        assertThat(report.verdict())
                .isInstanceOfSatisfying(
                        Verdict.Undecided.class,
                        undecided -> assertThat(undecided.reasons())
                                .singleElement()
                                .asString()
                                .contains("slow", "depends on the clock"));
    }

    private static Report explore(String race) {
        return TestServer.explore(Scenarios.parse("test", race), Optional.empty());
    }
}
