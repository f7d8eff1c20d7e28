package dev.rowlock.samples.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The code on docs/shop.md is that of the application, to the letter. */
class ShopPageTest {
    private static final Pattern REGION =
            Pattern.compile("(?m)^ *// (guide[a-z ]*): begin\n(?<code>(?s:.*?))^ *// \\1: end$");

    private static Stream<String> regions(Path source) {
        return REGION.matcher(ShopPage.read(source))
                .results()
                .map(region -> region.group(2).stripTrailing().stripIndent() + "\n");
    }

    private static List<String> regions() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .flatMap(ShopPageTest::regions)
                    .toList();
        }
    }

    @Test
    void everyBlockIsCodeOfTheShopAndAllOfItIsThere() throws IOException {
        assertThat(ShopPage.blocks("java")).hasSizeGreaterThan(10).containsExactlyInAnyOrderElementsOf(regions());
    }
}
