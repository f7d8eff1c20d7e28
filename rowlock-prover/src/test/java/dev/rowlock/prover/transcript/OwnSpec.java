package dev.rowlock.prover.transcript;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.prover.scenario.Scenarios;
import java.time.Duration;

/** Makes transcripts of specs that tests have written, all on one server, each on a database of its own. */
final class OwnSpec {
    private static final TestPostgres SERVER = TestPostgres.start();

    private OwnSpec() {}

    static ServerAddress newDatabase() {
        return SERVER.newDatabase();
    }

    static String run(String spec) {
        return run(spec, Transcript.STEP_LIMIT);
    }

    static String run(String spec, Duration limit) {
        StringBuilder out = new StringBuilder();
        new Transcript(newDatabase(), limit).write(Scenarios.parse("some/form.spec", spec), out);
        return out.toString();
    }

    /** The transcript of a spec that cannot be run to its end. */
    static String failing(String spec) {
        StringBuilder out = new StringBuilder();
        assertThatThrownBy(() -> new Transcript(newDatabase(), Transcript.STEP_LIMIT)
                        .write(Scenarios.parse("form.spec", spec), out))
                .isInstanceOf(TranscriptException.class);
        return out.toString();
    }

    /** What follows the line that names the last permutation. */
    static String afterStart(String transcript) {
        return transcript.replaceFirst("(?s)^.*starting permutation: [^\n]*\n", "");
    }
}
