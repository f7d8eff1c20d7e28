package dev.rowlock.prover.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a transcript is made of. What is expected was printed by the tester of PostgreSQL 15. */
class TranscriptFormTest {
    @Test
    void withoutPermutationsAllAreRunInOrder() {
        assertThat(OwnSpec.run("""
                session one step a { SET enable_sort = on; } step "b c" { SET enable_sort = off; }
                session two step d { }
                """)).isEqualTo("""
                Parsed test spec with 2 sessions

                starting permutation: a b c d
                step a: SET enable_sort = on;
                step b c: SET enable_sort = off;
                step d:\s

                starting permutation: a d b c
                step a: SET enable_sort = on;
                step d:\s
                step b c: SET enable_sort = off;

                starting permutation: d a b c
                step d:\s
                step a: SET enable_sort = on;
                step b c: SET enable_sort = off;
                """);
    }

    @Test
    void stepsInNoPermutationAreNamedInTheOrderOfTheirBytes() {
        assertThat(OwnSpec.run("session s step b { } step a { } step B { } step x { } permutation x"))
                .startsWith("""
                        unused step name: B
                        unused step name: a
                        unused step name: b
                        Parsed test spec with 1 sessions
                        """);
    }

    @Test
    void everyAnswerOfAStepIsShownAndANoticeOvertakesTheAnswerBeforeIt() {
        assertThat(OwnSpec.afterStart(OwnSpec.run("""
                session s
                step a {
                  SELECT 7 AS seven;
                  DO $$ BEGIN RAISE NOTICE 'first' USING DETAIL = 'd', HINT = 'h'; END $$;
                  SELECT 8 AS eight;
                  DO $$ BEGIN RAISE WARNING 'second'; END $$;
                  SELECT;
                  SELECT 1/0; }
                """))).isEqualTo("""
                s: NOTICE:  first
                DETAIL:  d
                HINT:  h
                step a:\s
                  SELECT 7 AS seven;
                  DO $$ BEGIN RAISE NOTICE 'first' USING DETAIL = 'd', HINT = 'h'; END $$;
                  SELECT 8 AS eight;
                  DO $$ BEGIN RAISE WARNING 'second'; END $$;
                  SELECT;
                  SELECT 1/0;
                seven
                -----
                    7
                (1 row)

                s: WARNING:  second
                eight
                -----
                    8
                (1 row)

                ERROR:  division by zero
                """);
    }

    @Test
    void notificationsAreShownBehindTheStepWithTheirSender() {
        assertThat(OwnSpec.run("""
                session talker step tell { NOTIFY news, 'it''s "here"'; }
                session listener step listen { LISTEN news; } step hear { SELECT 1 AS one; }
                permutation listen tell hear
                """)).endsWith("""
                step hear: SELECT 1 AS one;
                one
                ---
                  1
                (1 row)

                listener: NOTIFY "news" with payload "it's "here"" from talker
                """);
    }

    @Test
    void sessionsHaveTheSettingsOfPostgresOwnTests() {
        assertThat(OwnSpec.run("""
                session s step a {
                  SELECT current_setting('application_name') AS name, date '2020-02-03' AS date,
                    interval '26 h' AS hours, timestamptz '2020-01-01 00:00+00' AS time; }
                """)).endsWith("""
                name            |      date|hours     |time                       \s
                ----------------+----------+----------+----------------------------
                isolation/form/s|02-03-2020|@ 26 hours|Tue Dec 31 16:00:00 2019 PST
                (1 row)

                """);
    }
}
