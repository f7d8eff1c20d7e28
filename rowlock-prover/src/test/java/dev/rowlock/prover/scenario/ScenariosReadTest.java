package dev.rowlock.prover.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files as they come: missing, too long, in other encodings, made to be slow. */
class ScenariosReadTest {
    @TempDir
    Path folder;

    @Test
    void fileIsReadAsUtf8AndNamedByItsPath() throws IOException {
        Path file = write("session \"ü𝄞\" step x { }".getBytes(StandardCharsets.UTF_8));
        Scenario scenario = Scenarios.read(file);
        assertThat(scenario.name()).isEqualTo(file.toString());
        assertThat(scenario.sessions().get(0).name()).isEqualTo("ü𝄞");
    }

    @Test
    void byteOrderMarkIsNoCharacter() throws IOException {
        Scenario scenario = Scenarios.read(write("\uFEFFsession a step x { }".getBytes(StandardCharsets.UTF_8)));
        assertThat(scenario.sessions().get(0).position().column()).isEqualTo(9);
    }

    @Test
    void windowsLineEndsAreBlanks() throws IOException {
        Scenario scenario = Scenarios.read(write("session a\r\nstep x { }\r\n".getBytes(StandardCharsets.UTF_8)));
        assertThat(scenario.sessions().get(0).steps().get(0).position().line()).isEqualTo(2);
    }

    @Test
    void invalidUtf8IsShownWhereItStands() throws IOException {
        Path file = write("session a\n# ü: \u00ff".getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> Scenarios.read(file))
                .isInstanceOf(ScenarioException.class)
                .hasMessage(file + ":2:3: expected text in UTF-8, found the byte 0xFC, which cannot stand there");
    }

    @Test
    void characterCutOffAtTheEndIsInvalid() throws IOException {
        Path file = write(new byte[] {'#', ' ', (byte) 0xE2, (byte) 0x96});
        assertThatThrownBy(() -> Scenarios.read(file))
                .isInstanceOf(ScenarioException.class)
                .hasMessageContaining(":1:3: expected text in UTF-8, found the byte 0xE2");
    }

    @Test
    void missingFileIsToldAsSuch() {
        Path file = folder.resolve("gone.race");
        ScenarioException e = catchThrowableOfType(ScenarioException.class, () -> Scenarios.read(file));
        assertThat(e).hasMessage(file + ":1:1: expected a file that can be read, found none");
        assertThat(e).hasCauseInstanceOf(IOException.class);
    }

    @Test
    void folderIsNoFile() {
        assertThatThrownBy(() -> Scenarios.read(folder))
                .isInstanceOf(ScenarioException.class)
                .hasMessageContaining("expected a file that can be read");
    }

    @Test
    void oneMebibyteIsReadAndOneByteMoreIsNot() throws IOException {
        String scenario = "session a step x { } #";
        String longest = scenario + " ".repeat(Scenarios.MAX_BYTES - scenario.length());
        assertThat(Scenarios.read(write(longest.getBytes(StandardCharsets.UTF_8)))
                        .sessions())
                .hasSize(1);
        Path tooLong = write((longest + " ").getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> Scenarios.read(tooLong))
                .isInstanceOf(ScenarioException.class)
                .hasMessage(tooLong + ":1:1: expected at most 1048576 bytes, found more");
        assertThatThrownBy(() -> Scenarios.parse("long", longest + " "))
                .isInstanceOf(ScenarioException.class)
                .hasMessage("long:1:1: expected at most 1048576 bytes, found more");
    }

    /** The time is in proportion to the length: what is repeated here would take hours if it were to its square. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a;",
                "$a$ ",
                "$a ",
                "/* ",
                "-- ",
                "' ",
                "\" ",
                ":v ",
                "(",
                ")",
                "E'\\",
                "\n",
                "a[1:v] ",
                "𝄞",
                "ROLLBACK TO s;"
            })
    void longBlocksTakeNoLongerThanTheyMust(String repeated) {
        String text = "session a transaction step i into v { } step x { "
                + repeated.repeat((Scenarios.MAX_BYTES - 100) / repeated.length()) + " }";
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
            Scenario scenario = Scenarios.parse("long", text);
            assertThat(scenario.sessions().get(0).steps().get(1).sql().statements())
                    .isNotNull();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"x ", "x(*) ", "invariant ", "ignore ", "(", "1", "x(x,", "\"\" ", "# \n", "-", "observe "})
    void longPermutationsTakeNoLongerThanTheyMust(String repeated) {
        String text = "session a step x { } step invariant { } step ignore { } permutation "
                + repeated.repeat((Scenarios.MAX_BYTES - 100) / repeated.length());
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> FuzzedText.parseOrReject("long", text));
    }

    private Path write(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("file.race"), bytes);
    }
}
