package dev.rowlock.counter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.DatabaseTest;
import dev.rowlock.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every piece of Java in docs/counter.md stands here too, and does what the page says. */
class CounterGuideTest extends DatabaseTest {
    private static final Table ORDERS = Table.of("ord", "id");

    CounterGuideTest() {
        super(
                "CREATE TABLE product (id bigint PRIMARY KEY, stock int NOT NULL)",
                "CREATE TABLE ord (id bigserial PRIMARY KEY, lines int NOT NULL)",
                "CREATE TABLE event (id bigint PRIMARY KEY, taken int, free int, capacity int, open_until timestamptz)",
                "INSERT INTO product VALUES (7, 10), (8, 0)",
                "INSERT INTO event VALUES (1, 0, 2, 2, now() + interval '1 day'), (2, 0, 2, 2, now() - interval '1 day')");
    }

    private Counter stock() {
        Counter stock =
                Counter.over(rowlock, Table.of("product", "id"), "stock").min(0).build();
        return stock;
    }

    @Test
    void change() {
        Counter stock = stock();
        String told;
        Change change = stock.add(7, -2);
        if (change instanceof Change.Applied applied) {
            told = applied.value() + " left";
        } else if (change instanceof Change.Refused refused) {
            told = "only " + refused.value() + " left";
        } else {
            told = "no such product";
        }
        assertThat(told).isEqualTo("8 left");
    }

    @Test
    void severalRows() {
        Counter stock = stock();
        List<String> missing = new ArrayList<>();
        Changes moved = stock.transfer(7, 8, 5);
        Changes taken = stock.addAll(Map.of(7, -1L, 8, -2L));
        if (taken instanceof Changes.Refused refused) {
            refused.rows().forEach(row -> missing.add(row.key() + ": " + row.reason()));
        }
        assertThat(moved.orThrow().value(8)).isEqualTo(5);
        assertThat(taken.orThrow().value(7)).isEqualTo(4);
        assertThat(missing).isEmpty();
    }

    @Test
    void withAnOrder() {
        Counter stock = stock();
        stock.add(8, 2).orThrow();
        rowlock.run(tx -> {
            stock.addAllIn(tx, Map.of(7, -1L, 8, -2L)).orThrow();
            tx.insert(ORDERS).set("lines", 2).apply();
        });
        assertThat(database.number("SELECT count(*) FROM ord")).isEqualTo(1);
        assertThat(database.number("SELECT stock FROM product WHERE id = 7")).isEqualTo(9);
    }

    @Test
    void withoutAThread() throws Exception {
        Counter stock = stock();
        CompletableFuture<Change> later = stock.addAsync(7, -1);
        assertThat(later.get(20, TimeUnit.SECONDS).orThrow()).isEqualTo(9);
    }

    @Test
    void moreColumnsAndConditions() {
        Counter seats = Counter.over(rowlock, Table.of("event", "id"), "taken")
                .min(0)
                .maxColumn("capacity")
                .also("free", -1)
                .onlyIf("open_until > now()")
                .build();
        assertThat(seats.add(1, 2).orThrow()).isEqualTo(2);
        assertThat(seats.add(1, 1).isApplied()).isFalse();
        assertThat(seats.add(2, 1).isApplied()).isFalse();
        assertThat(database.number("SELECT free FROM event WHERE id = 1")).isZero();
    }

    @Test
    void pageShowsWhatStandsHere() throws IOException {
        String here = flat(Files.readString(Path.of("src/test/java/dev/rowlock/counter/CounterGuideTest.java")));
        Matcher blocks = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("../docs/counter.md")));
        List<String> shown = blocks.results().map(block -> flat(block.group(1))).toList();

        assertThat(shown).hasSize(6).allSatisfy(block -> assertThat(here).contains(block));
    }

    /** Without white space, which the formatter and the width of a page decide. */
    private static String flat(String source) {
        return source.replaceAll("\\s+", "");
    }
}
