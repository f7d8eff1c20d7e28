package dev.rowlock.prover.transcript;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoginTest {
    private static final String PASSWORD = "s3cret ß";
    private static final int MOST_TRIES = 10_000;

    private static TestPostgres server;

    @BeforeAll
    static void start() throws IOException {
        server = TestPostgres.start();
        server.execute("SET password_encryption = 'md5'; CREATE ROLE md5 LOGIN PASSWORD '" + PASSWORD + "'");
        server.execute("CREATE ROLE \"scram-sha-256\" LOGIN PASSWORD '" + PASSWORD + "'");
        server.execute("CREATE ROLE password LOGIN PASSWORD '" + PASSWORD + "'");
        Path rules = Path.of(server.query("SHOW hba_file"));
        String lines = "";
        for (String kind : new String[] {"md5", "scram-sha-256", "password"}) {
            lines += "host all \"" + kind + "\" 127.0.0.1/32 " + kind + "\n";
        }
        Files.writeString(rules, lines + Files.readString(rules));
        server.execute("SELECT pg_reload_conf()");
        awaitRules();
    }

    /** The server reloads when it comes to it: until then everybody is let in. */
    private static void awaitRules() throws IOException {
        for (int i = 0; i < MOST_TRIES; i++) {
            try (PgSession open = PgSession.open(address("password", Optional.empty()), Map.of())) {
                assertThat(open.pid()).isPositive();
            } catch (IOException refused) {
                assertThat(refused).hasMessageContaining("asks for a password");
                return;
            }
        }
        throw new AssertionError("the rules are still not in force");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"md5", "scram-sha-256", "password"})
    void rightPasswordOpensASession(String kind) throws IOException {
        try (PgSession session = PgSession.open(address(kind, Optional.of(PASSWORD)), Map.of())) {
            assertThat(session.run("SELECT session_user", Duration.ofMinutes(1)))
                    .isInstanceOfSatisfying(
                            Answer.Rows.class,
                            rows -> assertThat(rows.rows().get(0)).containsExactly(kind));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"md5", "scram-sha-256", "password"})
    void wrongPasswordIsRefusedByTheServer(String kind) {
        Throwable refused = catchThrowable(() -> PgSession.open(address(kind, Optional.of("wrong")), Map.of()));

        assertThat(refused).isInstanceOf(IOException.class).hasMessageContaining("password authentication failed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"md5", "scram-sha-256", "password"})
    void missingPasswordIsTold(String kind) {
        assertThatThrownBy(() -> PgSession.open(address(kind, Optional.empty()), Map.of()))
                .hasMessageContaining("the server asks for a password");
    }

    private static ServerAddress address(String user, Optional<String> password) {
        return server.address("postgres", user, password);
    }
}
