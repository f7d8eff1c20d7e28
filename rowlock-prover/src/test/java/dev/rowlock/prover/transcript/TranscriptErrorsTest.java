package dev.rowlock.prover.transcript;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.prover.scenario.ScenarioException;
import dev.rowlock.prover.scenario.Scenarios;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What goes wrong in a transcript. What is expected was printed by the tester of PostgreSQL 15, refusals excepted. */
class TranscriptErrorsTest {
    @Test
    void errorInSetupEndsTheTranscriptAndShowsThePlace() {
        assertThat(OwnSpec.failing("""
                setup { SELECT 1 AS hidden; SELECT 2 AS shown; }
                setup { SELECT
                nosuch; }
                session s step a { SELECT 1; }
                """)).isEqualTo("""
                Parsed test spec with 1 sessions

                starting permutation: a
                shown
                -----
                    2
                (1 row)

                setup failed: ERROR:  column "nosuch" does not exist
                LINE 2: nosuch;
                        ^
                """);
    }

    @Test
    void errorInASessionsSetupNamesTheSession() {
        assertThat(OwnSpec.failing("session s setup { DO $$ BEGIN RAISE NOTICE 'n'; PERFORM 1/0; END $$; } step a { }"))
                .endsWith("""
                        starting permutation: a
                        s: NOTICE:  n
                        setup of session s failed: ERROR:  division by zero
                        CONTEXT:  SQL statement "SELECT 1/0"
                        PL/pgSQL function inline_code_block line 1 at PERFORM
                        """);
    }

    @Test
    void errorInATeardownStopsNothing() {
        assertThat(OwnSpec.run("""
                setup { CREATE TABLE t (); }
                teardown { DROP TABLE t; SELECT 'bye' AS bye; }
                session s step a { } step b { } teardown { DROP TABLE nosuch; }
                permutation a permutation b
                """)).endsWith("""

                starting permutation: b
                step b:\s
                teardown of session s failed: ERROR:  table "nosuch" does not exist
                bye
                ---
                bye
                (1 row)

                """);
    }

    @Test
    void sessionThatTheServerEndsIsLostForLaterSteps() {
        assertThat(OwnSpec.failing("""
                session s step end { SELECT pg_terminate_backend(pg_backend_pid()); } step next { }
                """)).endsWith("""
                step end: SELECT pg_terminate_backend(pg_backend_pid());
                FATAL:  terminating connection due to administrator command
                server closed the connection unexpectedly
                \tThis probably means the server terminated abnormally
                \tbefore or while processing the request.

                failed to send query for step next: no connection to the server

                """);
    }

    @Test
    void copyToTheClientIsRefusedAndNotTakenForSilence() {
        assertThat(OwnSpec.failing("session s step a { COPY (SELECT 1) TO STDOUT; }"))
                .endsWith("COPY from or to the client is not supported: COPY (SELECT 1) TO STDOUT;\n");
    }

    @Test
    void serverThatIsNotThereIsNamed() {
        ServerAddress nowhere = new ServerAddress("127.0.0.1", 1, "d", "me", Optional.of("secret"));

        StringBuilder out = new StringBuilder();
        assertThatThrownBy(() -> new Transcript(nowhere, Transcript.STEP_LIMIT)
                        .write(Scenarios.parse("form.spec", "session s step a { }"), out))
                .isInstanceOf(TranscriptException.class)
                .hasMessageContaining("me@127.0.0.1:1/d")
                .hasMessageNotContaining("secret");
        assertThat(out).startsWith("Parsed test spec with 1 sessions\nConnection 0 failed: ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "session s transaction step a { }            | 1:9  | in a transaction",
                "session s isolation serializable step a { } | 1:9  | an isolation level",
                "session s retry 3 step a { }                | 1:9  | retries",
                "session s step a into x { SELECT 1; }       | 1:16 | 'into' of step a",
                "session s step a when { true } { SELECT 1; }| 1:16 | 'when' of step a",
                "session s step a expect 1 rows { SELECT 1; }| 1:16 | expected rows of step a",
            })
    void whatPostgresTesterDoesNotKnowIsRefusedWithItsPlace(String scenario, String place, String found) {
        StringBuilder out = new StringBuilder();

        assertThatThrownBy(() -> new Transcript(OwnSpec.newDatabase(), Transcript.STEP_LIMIT)
                        .write(Scenarios.parse("form.race", scenario), out))
                .isInstanceOf(ScenarioException.class)
                .hasMessageStartingWith("form.race:" + place + ":")
                .hasMessageContaining(found);
        assertThat(out).isEmpty();
    }
}
