package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DataDirRefusedIT {
    @Test
    void folderBelowAFileIsRefused() throws Exception {
        try (TempDataDir parent = TempDataDir.create()) {
            Path file = Files.createFile(parent.path().resolve("file"));
            Refused.serve(Map.of(), "--port", "0", "--data-dir", file + "/data")
                    .contains("cannot use data folder " + file + "/data");
        }
    }

    @Test
    void fileInsteadOfAFolderIsRefused() throws Exception {
        try (TempDataDir parent = TempDataDir.create()) {
            Path file = Files.createFile(parent.path().resolve("file"));
            Refused.serve(Map.of(), "--port", "0", "--data-dir", file.toString())
                    .contains("cannot use data folder " + file)
                    .contains("not a folder");
        }
    }

    @Test
    void folderWhoseNameTheShellWouldReadIsRefused() {
        try (TempDataDir parent = TempDataDir.create()) {
            Refused.serve(Map.of(), "--port", "0", "--data-dir", parent + "/$HOME")
                    .contains(parent + "/$HOME");
            assertThat(parent.path()).isEmptyDirectory();
        }
    }

    @Test
    void dataOfAnotherMajorVersionAreRefusedUntouched() throws Exception {
        try (TempDataDir dataDir = TempDataDir.create()) {
            Path version =
                    Files.createDirectory(dataDir.path().resolve("postgres")).resolve("PG_VERSION");
            Files.writeString(version, "15\n");
            Files.createFile(dataDir.path().resolve("ready"));
            Refused.serve(Map.of(), "--port", "0", "--data-dir", dataDir.toString())
                    .contains("was written by PostgreSQL 15, this Rowlock brings 18");
            assertThat(version).hasContent("15");
        }
    }

    @Test
    void unreachableDatabaseIsRefused() {
        Refused.serve(Map.of(), "--port", "0", "--url", "jdbc:postgresql://127.0.0.1:1/shop")
                .contains("cannot connect to jdbc:postgresql://127.0.0.1:1/shop");
    }
}
