package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** A hundred buyers want the one unit in stock. */
class StockTest extends DatabaseTest {
    private static final Table PRODUCTS = Table.of("product", "id");
    private static final int BUYERS = 100;

    StockTest() {
        super("CREATE TABLE product (id bigint PRIMARY KEY, stock int NOT NULL)", "INSERT INTO product VALUES (1, 1)");
    }

    @Test
    void oneOfAHundredBuyersGetsTheLastUnit() throws Exception {
        Rowlock patient = Rowlock.builder(database.pool())
                .lockTimeout(Duration.ofSeconds(15))
                .build();
        List<Object> outcomes;
        try (Session holder = Session.open(database)) {
            holder.run("SELECT * FROM product FOR UPDATE");
            Future<List<Object>> crowd = threads.start(() -> threads.crowd(BUYERS, () -> buy(patient)));
            database.awaitBlocked(16); // all that the pool lets in; they are released at the same moment
            holder.commit();
            outcomes = Threads.result(crowd);
        }

        assertThat(outcomes)
                .hasSize(BUYERS)
                .filteredOn(Write.Applied.class::isInstance)
                .hasSize(1);
        assertThat(outcomes).filteredOn(Write.Refused.class::isInstance).hasSize(BUYERS - 1);
        assertThat(outcomes)
                .filteredOn(Write.Refused.class::isInstance)
                .allSatisfy(refused -> assertThat(
                                ((Write.Refused) refused).current().getLong("stock"))
                        .isZero());
        assertThat(database.number("SELECT stock FROM product")).isZero();
    }

    /** The broken twin: the stock is looked at in one statement and taken in another. */
    @Test
    void checkingBeforeTakingOversells() throws Exception {
        try (Session one = Session.open(database);
                Session two = Session.open(database)) {
            assertThat(one.read("SELECT stock FROM product")).isEqualTo(1);
            assertThat(two.read("SELECT stock FROM product")).isEqualTo(1);
            one.run("UPDATE product SET stock = stock - 1");
            Session.Step waits = two.begin("UPDATE product SET stock = stock - 1");
            one.commit();
            assertThat(waits.result()).isEqualTo(1);
            two.commit();
        }
        assertThat(database.number("SELECT stock FROM product")).isEqualTo(-1);
    }

    private static Write buy(Rowlock rowlock) {
        return rowlock.call(tx ->
                tx.update(PRODUCTS, 1).add("stock", -1).onlyIf("stock >= ?", 1).apply());
    }
}
