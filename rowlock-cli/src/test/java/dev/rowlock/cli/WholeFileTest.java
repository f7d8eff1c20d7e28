package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WholeFileTest {
    @TempDir
    private Path folder;

    @Test
    void newTextReplacesTheOldAndLeavesNothingElse() throws IOException {
        Path file = Files.writeString(folder.resolve("f"), "old and longer");

        WholeFile.at("--json", file).write("new");

        assertThat(file).hasContent("new");
        assertThat(folder).isDirectoryNotContaining(path -> !path.equals(file));
    }

    @Test
    void linkStaysALink() throws IOException {
        Path file = Files.writeString(folder.resolve("f"), "old");
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);

        WholeFile.at("--json", link).write("new");

        assertThat(link).isSymbolicLink();
        assertThat(file).hasContent("new");
    }

    @Test
    void fileThatCannotBePutThereLeavesNothingBehind() throws IOException {
        Path file = folder.resolve("f");
        WholeFile whole = WholeFile.at("--html", file);
        Files.createDirectories(file.resolve("in-the-way"));

        assertThatExceptionOfType(IOException.class).isThrownBy(() -> whole.write("new"));

        assertThat(folder).isDirectoryNotContaining(path -> !path.equals(file));
    }

    @ParameterizedTest
    @ValueSource(strings = {"missing/f", ".", "file/f", "/dev/null"})
    void placeThatIsNoFileInAFolderIsRefused(String place) throws IOException {
        Files.writeString(folder.resolve("file"), "");

        assertThatExceptionOfType(Refusal.class)
                .isThrownBy(() -> WholeFile.at("--html", folder.resolve(place)))
                .withMessageStartingWith("--html ");
    }
}
