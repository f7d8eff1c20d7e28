package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGProperty;

/** {@code prove --url}: what is left on the server, and what is refused. */
class GivenServerTest {
    private static final String FIXED = "../examples/last-unit-fixed.race";
    private static final String SCHEMAS =
            "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'rowlock%' OR nspname = 'mine' ORDER BY nspname";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @AfterEach
    void dropEverything() {
        TestPostgres.run("DROP SCHEMA IF EXISTS rowlock_prove CASCADE", "DROP SCHEMA IF EXISTS mine CASCADE");
    }

    private int prove(String url) {
        return RowlockCommand.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute("prove", "--url", url, FIXED);
    }

    @Test
    void scenarioIsProvedThereAndNothingIsLeft() {
        assertThat(prove(TestPostgres.url())).as(err.toString()).isZero();

        assertThat(out.toString()).containsPattern("last-unit-fixed.race +proved");
        assertThat(TestPostgres.ask(SCHEMAS)).isEmpty();
    }

    @Test
    void emptySchemaOfThatNameIsThereAgainAsItWas() {
        TestPostgres.run("CREATE SCHEMA rowlock_prove", "COMMENT ON SCHEMA rowlock_prove IS 'of ours'");

        assertThat(prove(TestPostgres.url())).as(err.toString()).isZero();

        assertThat(TestPostgres.ask(SCHEMAS)).containsExactly("rowlock_prove");
        assertThat(TestPostgres.ask("SELECT obj_description('rowlock_prove'::regnamespace)"))
                .containsExactly("of ours");
    }

    @Test
    void schemaThatIsNotEmptyIsRefusedAndLeftAlone() {
        TestPostgres.run(
                "CREATE SCHEMA rowlock_prove",
                "CREATE TABLE rowlock_prove.precious AS SELECT 1 AS n",
                "CREATE FUNCTION rowlock_prove.f() RETURNS int LANGUAGE sql AS 'SELECT 1'");

        assertThat(prove(TestPostgres.url())).isEqualTo(2);

        assertThat(err.toString())
                .contains("schema rowlock_prove is not empty", "function f(), table precious")
                .contains("currentSchema=")
                .hasLineCount(1);
        assertThat(TestPostgres.ask("SELECT n FROM rowlock_prove.precious")).containsExactly("1");
    }

    @Test
    void otherSchemaCanBeNamed() {
        TestPostgres.run("CREATE SCHEMA rowlock_prove", "CREATE TABLE rowlock_prove.precious (n int)");

        assertThat(prove(TestPostgres.url() + "&currentSchema=mine"))
                .as(err.toString())
                .isZero();

        assertThat(TestPostgres.ask(SCHEMAS)).containsExactly("rowlock_prove");
    }

    @Test
    void sessionsThatHoldLocksDoNotKeepTheSchemaThere() throws SQLException {
        GivenServer server = GivenServer.open(TestPostgres.url());
        Connection session = server.connect(server.schema());
        try (Statement statement = session.createStatement()) {
            statement.execute("CREATE SCHEMA " + server.schema() + "; CREATE TABLE t (n int); BEGIN; LOCK TABLE t");
        }

        server.close();

        assertThat(TestPostgres.ask(SCHEMAS)).isEmpty();
        assertThatExceptionOfType(SQLException.class).isThrownBy(() -> server.connect("mine"));
        assertThatNoException().isThrownBy(server::close);
    }

    @Test
    void twoProofsCannotHaveOneSchema() {
        try (GivenServer first = GivenServer.open(TestPostgres.url())) {
            assertThat(first.schema()).isEqualTo("rowlock_prove");

            assertThat(prove(TestPostgres.url())).isEqualTo(2);

            assertThat(err.toString()).contains("another proof uses schema rowlock_prove");
        }
    }

    @Test
    void roleThatMayNotSetTheDeadlockTimeoutIsToldWhatToGrant() {
        TestPostgres.run("DROP ROLE IF EXISTS \"A\"", "CREATE ROLE \"A\" LOGIN");

        assertThat(prove(TestPostgres.url("A"))).isEqualTo(2);
        assertThat(err.toString()).contains("GRANT SET ON PARAMETER deadlock_timeout TO \"A\"");

        TestPostgres.run("GRANT SET ON PARAMETER deadlock_timeout TO \"A\"");
        assertThat(prove(TestPostgres.url("A"))).isEqualTo(2);
        assertThat(err.toString()).contains("GRANT CREATE ON DATABASE postgres TO \"A\"");

        TestPostgres.run("GRANT CREATE ON DATABASE postgres TO \"A\"");
        assertThat(prove(TestPostgres.url("A"))).as(err.toString()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:mysql://h/d", "postgresql://h/d", "jdbc:postgresql://h:port/d"})
    void otherUrlIsRefused(String url) {
        assertThat(prove(url)).isEqualTo(2);

        assertThat(err.toString())
                .contains("--url " + url + " is not a PostgreSQL URL")
                .hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a,b", "\"A\"", "pg_temp", "Mixed"})
    void schemaThatIsNoPlainNameIsRefused(String schema) {
        assertThat(prove("jdbc:postgresql://h/d?currentSchema=" + schema)).isEqualTo(2);

        assertThat(err.toString()).contains("currentSchema is '" + schema + "'");
    }

    @Test
    void hostThatDoesNotAnswerIsNamedAndThePasswordIsNot() {
        assertThat(prove("jdbc:postgresql://127.0.0.1:1/d?user=me&password=secret"))
                .isEqualTo(2);

        assertThat(err.toString())
                .contains("cannot connect to jdbc:postgresql://127.0.0.1:1/d", "password=***")
                .doesNotContain("secret")
                .hasLineCount(1);
    }

    @ParameterizedTest
    @CsvSource({"130022, 13.22", "90600, 9.6"})
    void oldServerIsRefused(int number, String words) {
        assertThatExceptionOfType(Refusal.class)
                .isThrownBy(() -> GivenServerChecks.requireVersion(number, words))
                .withMessageContaining("PostgreSQL " + words)
                .withMessageContaining("14 or newer");
        assertThatNoException().isThrownBy(() -> GivenServerChecks.requireVersion(140000, "14.0"));
    }

    @Test
    void loginIsNotWaitedForWithoutEnd() {
        assertThat(GivenUrl.dataSource("jdbc:postgresql://h/d").getLoginTimeout())
                .isPositive();
        assertThat(GivenUrl.dataSource("jdbc:postgresql://h/d?" + PGProperty.LOGIN_TIMEOUT.getName() + "=3")
                        .getLoginTimeout())
                .isEqualTo(3);
    }
}
