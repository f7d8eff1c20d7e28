package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class ArgumentsTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        CommandLine command =
                RowlockCommand.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                                             | no command given",
                "srve                                           | srve",
                "serve --prt 1                                  | '--prt'",
                "serve --port                                   | '--port'",
                "serve --port many                              | 'many'",
                "serve --port 65536                             | --port 65536",
                "serve --port -1                                | --port -1",
                "serve --address no.such.host.invalid --port 0  | no.such.host.invalid",
                "serve --address 192.0.2.1 --port 0             | 192.0.2.1",
                "serve extra                                    | 'extra'",
                "serve --url jdbc:postgresql:x --data-dir d     | --url and --data-dir exclude each other",
                "serve --user me                                | --user needs --url",
                "serve --password secret                        | --password needs --url",
                "serve --port 0 --url jdbc:mysql://h/d          | --url jdbc:mysql://h/d is not a PostgreSQL URL",
                "watch                                         | 'JDBC_URL'",
                "watch jdbc:mysql://h/d                         | jdbc:mysql://h/d is not a PostgreSQL URL",
                "watch jdbc:postgresql://h:x/d                  | jdbc:postgresql://h:x/d is not a PostgreSQL URL",
                "watch --once jdbc:postgresql://127.0.0.1:1/d   | cannot connect to jdbc:postgresql://127.0.0.1:1/d",
                "watch --interval 0 jdbc:postgresql:d           | --interval is 0.0; it must be 0.1 to 3600 seconds",
                "watch --interval NaN jdbc:postgresql:d         | --interval is NaN",
                "prove --transcript --json f ../examples        | --transcript and --json exclude each other",
                "prove --transcript ../examples/last-unit-fixed.race | last-unit-fixed.race:",
                "prove --max-schedules 2 --transcript ../examples | --transcript and --max-schedules exclude each other",
            })
    void badUsageIsOneLineNamingTheOffenderAndStatusTwo(String arguments, String offender) {
        int status = run(arguments.isEmpty() ? new String[0] : arguments.split(" ", -1));

        assertThat(status).isEqualTo(2);
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .startsWith("rowlock: ")
                .contains(offender);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void passwordInAnUrlIsNotPrinted() {
        run("serve", "--port", "0", "--url", "jdbc:postgresql://127.0.0.1:1/d?user=me&password=secret");
        run("watch", "--once", "jdbc:postgresql://127.0.0.1:1/d?user=me&password=secret");

        assertThat(err.toString())
                .contains("cannot connect to")
                .contains("password=***")
                .doesNotContain("secret");
    }

    @Test
    void helpNamesEveryOptionOfServe() {
        assertThat(run("serve", "--help")).isZero();
        assertThat(out.toString())
                .contains("--port", "--address", "--data-dir", "--url", "--user", "--password", "ROWLOCK_PASSWORD");
    }

    @Test
    void versionComesFromTheBuild() {
        assertThat(run("--version")).isZero();
        assertThat(out.toString())
                .contains("rowlock " + BuildInfo.load().version())
                .doesNotContain("${");
    }
}
