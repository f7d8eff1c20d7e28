package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher script builds when it must and only then; Maven and Java are stand-ins that say how they were called. */
class ScriptTest {
    @TempDir
    private Path temp;

    private Path root;
    private Path elsewhere;

    record Outcome(int status, String stdout, String stderr) {}

    @BeforeEach
    void layOut() throws IOException {
        root = Files.createDirectories(temp.resolve("a checkout"));
        elsewhere = Files.createDirectories(temp.resolve("elsewhere"));
        Files.copy(Path.of("../rowlock"), root.resolve("rowlock"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.createDirectories(root.resolve("rowlock-cli/src/main"));
        Files.writeString(root.resolve("pom.xml"), "<project/>");
        Files.writeString(root.resolve("rowlock-cli/pom.xml"), "<project/>");
        Files.writeString(source(), "one");
        executable(
                root.resolve("mvnw"),
                "echo built >> builds; mkdir -p rowlock-cli/target; touch rowlock-cli/target/rowlock.jar; [ ! -f broken ]");
        Files.createDirectories(temp.resolve("jdk/bin"));
        executable(
                temp.resolve("jdk/bin/java"),
                "if [ \"$1\" = -version ]; then echo 'openjdk version \"17.0.1\"' >&2; else echo \"$PWD: $*\"; fi");
        executable(temp.resolve("jdk/bin/javac"), "exit 1");
    }

    @Test
    void firstCallBuildsAndSaysSoInOneLine() throws IOException {
        Outcome outcome = rowlock("serve", "--port", "1");

        assertThat(outcome.status()).isZero();
        assertThat(outcome.stderr().lines()).hasSize(1).allMatch(line -> line.startsWith("rowlock: building"));
        assertThat(outcome.stdout().strip())
                .isEqualTo(elsewhere.toRealPath() + ": -jar " + root.toRealPath()
                        + "/rowlock-cli/target/rowlock.jar serve --port 1");
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void nextCallDoesNotBuildAndSaysNothing() throws IOException {
        rowlock();

        assertThat(rowlock("--version").stderr()).isEmpty();
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void changedSourceIsBuiltAgain() throws IOException {
        rowlock();
        Files.setLastModifiedTime(source(), FileTime.from(Instant.now().plusSeconds(60)));

        rowlock();

        assertThat(builds()).isEqualTo(2);
    }

    @Test
    void failedBuildIsToldAndTriedAgainNextTime() throws IOException {
        Files.writeString(root.resolve("broken"), "");

        Outcome outcome = rowlock();

        assertThat(outcome.status()).isEqualTo(2);
        assertThat(outcome.stdout()).isEmpty();
        assertThat(outcome.stderr()).contains("rowlock: the build failed");
        Files.delete(root.resolve("broken"));
        assertThat(rowlock().status()).isZero();
        assertThat(builds()).isEqualTo(2);
    }

    @Test
    void lockOfABuilderThatIsDeadDoesNotStopTheNextOne() throws IOException {
        Files.createDirectories(root.resolve("target"));
        // No process has this id: it is above the largest that Linux and macOS give.
        Files.createSymbolicLink(root.resolve("target/rowlock.lock"), Path.of("99999999"));

        assertThat(rowlock().status()).isZero();
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void oldJavaIsRefusedInOneLine() throws IOException {
        executable(temp.resolve("jdk/bin/java"), "echo 'java version \"11.0.2\"' >&2");

        Outcome outcome = rowlock();

        assertThat(outcome.status()).isEqualTo(2);
        assertThat(outcome.stderr().lines()).hasSize(1).allMatch(line -> line.contains("is Java 11"));
    }

    private Path source() {
        return root.resolve("rowlock-cli/src/main/One.java");
    }

    private long builds() throws IOException {
        try (var lines = Files.lines(root.resolve("builds"))) {
            return lines.count();
        }
    }

    private Outcome rowlock(String... arguments) {
        List<String> command = new ArrayList<>(List.of(root.resolve("rowlock").toString()));
        command.addAll(List.of(arguments));
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(elsewhere.toFile())
                    .redirectOutput(temp.resolve("out").toFile())
                    .redirectError(temp.resolve("err").toFile());
            builder.environment().put("JAVA_HOME", temp.resolve("jdk").toString());
            builder.environment().remove("JAVA_OPTS");
            Process process = builder.start();
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            return new Outcome(
                    process.exitValue(), Files.readString(temp.resolve("out")), Files.readString(temp.resolve("err")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void executable(Path file, String script) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + script + "\n", StandardCharsets.UTF_8);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }
}
