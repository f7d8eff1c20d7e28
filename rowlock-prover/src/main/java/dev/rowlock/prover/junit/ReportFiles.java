package dev.rowlock.prover.junit;

import dev.rowlock.prover.RaceReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Writes a file for each race of a test. */
final class ReportFiles implements Consumer<RaceReport> {
    private final String test;
    private int races;

    ReportFiles(String test) {
        this.test = test;
    }

    @Override
    public void accept(RaceReport report) {
        Path folder = Path.of(System.getProperty(RaceExtension.REPORTS, "target/race-reports"));
        races++;
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve(test + "." + races + ".txt"), report.text());
        } catch (IOException e) {
            throw new UncheckedIOException("the report on a race cannot be written to " + folder.toAbsolutePath(), e);
        }
    }
}
