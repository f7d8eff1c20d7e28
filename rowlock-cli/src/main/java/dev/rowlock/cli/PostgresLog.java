package dev.rowlock.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The log of PostgreSQL's programs, read for the one line that tells a user why they failed. */
final class PostgresLog {
    private PostgresLog() {}

    static String lastError(Path log) throws IOException {
        List<String> lines = new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
        String last = lines.isEmpty() ? "it said nothing" : lines.get(lines.size() - 1);
        for (String line : lines) {
            if (line.contains("FATAL:") || line.contains("PANIC:") || line.contains(" error: ")) {
                last = line;
            }
        }
        return last + " (all of it in " + log + ")";
    }
}
