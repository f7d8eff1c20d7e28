package dev.rowlock.samples.shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.prover.RaceReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** What stands in docs/shop.md. */
final class ShopPage {
    private static final String TEXT = read(Path.of("../docs/shop.md"));

    private ShopPage() {}

    static String read(Path file) {
        try {
            return Files.readString(file).replace("\r\n", "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The blocks in this language, without the marks around them. */
    static List<String> blocks(String language) {
        return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
                .matcher(TEXT)
                .results()
                .map((MatchResult block) -> block.group(1))
                .toList();
    }

    /** The page has what is printed of the race, up to the list of outcomes, with or without the drawing. */
    static void assertTells(RaceReport report) {
        List<String> paragraphs = List.of(report.text().split("\n\n"));
        String verdict = paragraphs.get(0).lines().findFirst().orElseThrow();
        String counts = report.text()
                .lines()
                .filter(line -> line.contains(" schedules run, "))
                .findFirst()
                .orElseThrow();
        String drawing = paragraphs.size() > 1 ? paragraphs.get(1) : "";
        assertThat(blocks("text"))
                .as(report.text())
                .containsAnyOf(verdict + "\n" + counts + "\n", verdict + "\n\n" + drawing + "\n\n" + counts + "\n");
    }
}
