package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Twenty people have the same version of a product on their screens and all press save. */
class EditTest extends DatabaseTest {
    private static final Table PRODUCTS = Table.of("product", "id").withVersion("version");
    private static final int EDITORS = 20;

    EditTest() {
        super(
                "CREATE TABLE product (id bigint PRIMARY KEY, price int NOT NULL, version bigint NOT NULL)",
                "INSERT INTO product VALUES (1, 100, 10)");
    }

    @Test
    void oneOfTwentyEditorsOfAVersionWins() throws Exception {
        Rowlock patient = Rowlock.builder(database.pool())
                .lockTimeout(Duration.ofSeconds(15))
                .build();
        AtomicInteger price = new AtomicInteger(100);
        List<Object> outcomes;
        try (Session holder = Session.open(database)) {
            holder.run("SELECT * FROM product FOR UPDATE");
            Future<List<Object>> crowd =
                    threads.start(() -> threads.crowd(EDITORS, () -> edit(patient, price.incrementAndGet())));
            database.awaitBlocked(16); // all that the pool lets in
            holder.commit();
            outcomes = Threads.result(crowd);
        }

        List<Write.Applied> applied = only(outcomes, Write.Applied.class);
        List<Write.Stale> stale = only(outcomes, Write.Stale.class);
        assertThat(applied).hasSize(1);
        assertThat(stale).hasSize(EDITORS - 1);
        assertThat(stale).allSatisfy(one -> {
            assertThat(one.expectedVersion()).isEqualTo(10);
            assertThat(one.current()).isEqualTo(applied.get(0).row());
        });
        assertThat(database.number("SELECT version FROM product")).isEqualTo(11);
        assertThat(database.number("SELECT price FROM product"))
                .isEqualTo(applied.get(0).row().getLong("price"));
    }

    /** The broken twin: the version is compared in a SELECT, and the save goes by the key alone. */
    @Test
    void checkingTheVersionInASelectLosesAnEdit() throws Exception {
        try (Session one = Session.open(database);
                Session two = Session.open(database)) {
            assertThat(one.read("SELECT version FROM product")).isEqualTo(10);
            assertThat(two.read("SELECT version FROM product")).isEqualTo(10);
            one.run("UPDATE product SET price = 101, version = version + 1 WHERE id = 1");
            Session.Step waits = two.begin("UPDATE product SET price = 102, version = version + 1 WHERE id = 1");
            one.commit();
            assertThat(waits.result()).isEqualTo(1);
            two.commit();
        }
        assertThat(database.number("SELECT price FROM product")).isEqualTo(102);
        assertThat(database.number("SELECT version FROM product")).isEqualTo(12);
    }

    private static Write edit(Rowlock rowlock, int price) {
        return rowlock.call(
                tx -> tx.update(PRODUCTS, 1).set("price", price).ifVersion(10).apply());
    }

    private static <T> List<T> only(List<Object> outcomes, Class<T> type) {
        return outcomes.stream().filter(type::isInstance).map(type::cast).toList();
    }
}
