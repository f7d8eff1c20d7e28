package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractStringAssert;

/** A start that must fail the way the user deserves. */
final class Refused {
    private Refused() {}

    /** Status 2, nothing on stdout, exactly one line on stderr: returns that line for more questions. */
    static AbstractStringAssert<?> serve(Map<String, String> environment, String... arguments) {
        String[] all = Stream.concat(Stream.of("serve"), Stream.of(arguments)).toArray(String[]::new);
        try (ServerProcess process = ServerProcess.launch(environment, all)) {
            int status = process.exitStatus();
            assertThat(process.stderr().lines()).as(process.stdout()).hasSize(1);
            assertThat(process.stdout()).isEmpty();
            assertThat(status).isEqualTo(2);
            return assertThat(process.stderr()).startsWith("rowlock: ").doesNotContain("Exception");
        }
    }
}
