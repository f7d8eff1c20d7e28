package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code rowlock prove --transcript} as a user meets it. */
class ProveTranscriptIT {
    @TempDir
    private Path temp;

    @Test
    void transcriptsFollowOneAnotherAlsoBehindOneThatEndsEarly() throws IOException {
        String failing = write("1.spec", "setup { SELECT nosuch; } session s step a { }");
        String waiting = write("2.spec", """
                setup { CREATE TABLE t (a int); INSERT INTO t VALUES (1); }
                teardown { DROP TABLE t; }
                session one step lock { BEGIN; LOCK t; } step free { COMMIT; }
                session two step read { SELECT a AS "€" FROM t; }
                permutation lock read free
                """);

        // Without a locale Java's own output would have no €.
        try (ServerProcess program =
                ServerProcess.launch(Map.of("LC_ALL", "C"), "prove", "--transcript", failing, waiting)) {
            assertThat(program.exitStatus()).isEqualTo(2);
            assertThat(program.stderr())
                    .contains("1.spec: setup failed: ERROR:  column \"nosuch\"")
                    .hasLineCount(1);
            assertThat(program.stdout()).isEqualTo("""
                    Parsed test spec with 1 sessions

                    starting permutation: a
                    setup failed: ERROR:  column "nosuch" does not exist
                    LINE 1: SELECT nosuch;
                                   ^
                    Parsed test spec with 2 sessions

                    starting permutation: lock read free
                    step lock: BEGIN; LOCK t;
                    step read: SELECT a AS "€" FROM t; <waiting ...>
                    step free: COMMIT;
                    step read: <... completed>
                    €
                    ---
                      1
                    (1 row)

                    """);
        }
    }

    @Test
    void allThatRanToTheirEndsGiveZero() throws IOException {
        // An error in a step is what a transcript is to show.
        String spec = write("error.spec", "session s step a { SELECT 1/0; }");

        try (ServerProcess program = ServerProcess.launch(Map.of(), "prove", "--transcript", spec, spec)) {
            assertThat(program.exitStatus()).isZero();
            assertThat(program.stderr()).isEmpty();
            assertThat(program.stdout()).isEqualTo("""
                    Parsed test spec with 1 sessions

                    starting permutation: a
                    step a: SELECT 1/0;
                    ERROR:  division by zero
                    """.repeat(2));
        }
    }

    private String write(String name, String text) throws IOException {
        return Files.writeString(temp.resolve(name), text).toString();
    }
}
