package dev.rowlock.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.rowlock.DatabaseTest;
import dev.rowlock.Key;
import dev.rowlock.MissingRowException;
import dev.rowlock.Table;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One caller at a time. */
class CounterTest extends DatabaseTest {
    private static final Table PRODUCTS = Table.of("product", "id").withVersion("version");

    private Counter stock;

    CounterTest() {
        super(
                """
                CREATE TABLE product (
                    id bigint PRIMARY KEY,
                    stock bigint,
                    reserved int NOT NULL DEFAULT 0,
                    capacity int,
                    price numeric(12, 2) NOT NULL DEFAULT 1,
                    active boolean NOT NULL DEFAULT true,
                    version bigint NOT NULL DEFAULT 1)""",
                "INSERT INTO product (id, stock) VALUES (1, 10), (2, 20), (3, NULL)",
                "INSERT INTO product (id, stock, active) VALUES (4, 10, false)",
                "INSERT INTO product (id, stock, capacity) VALUES (5, 10, 12)");
    }

    @BeforeEach
    void declare() {
        stock = Counter.over(rowlock, PRODUCTS, "stock").min(0).max(100).build();
    }

    private long stockOf(long id) {
        return database.number("SELECT stock FROM product WHERE id = " + id);
    }

    @Test
    void changeWithinTheBoundsIsApplied() {
        assertThat(stock.add(1, -10)).isEqualTo(new Change.Applied(Key.of(1), 0, Map.of("stock", 0L)));
        assertThat(stock.add(1, 100).orThrow()).isEqualTo(100);
        assertThat(stockOf(1)).isEqualTo(100);
    }

    @Test
    void changeRaisesTheVersion() {
        assertThat(stock.add(1, -1).isApplied()).isTrue();
        assertThat(database.number("SELECT version FROM product WHERE id = 1")).isEqualTo(2);
    }

    @Test
    void changeBelowTheLeastIsRefusedWithTheAmount() {
        Change.Refused refused = (Change.Refused) stock.add(1, -11);

        assertThat(refused.value()).isEqualTo(10);
        assertThat(refused.reason()).isEqualTo("stock is 10 and would be -1, less than 0");
        assertThatExceptionOfType(RefusedChangeException.class)
                .isThrownBy(refused::orThrow)
                .withMessage(
                        "row 1 of product does not allow a change by -11: stock is 10 and would be -1, less than 0");
        assertThat(stockOf(1)).isEqualTo(10);
    }

    @Test
    void changeAboveTheMostIsRefusedWithTheAmount() {
        assertThat(((Change.Refused) stock.add(2, 81)).reason())
                .isEqualTo("stock is 20 and would be 101, more than 100");
    }

    @Test
    void missingRowIsTold() {
        Change missing = stock.add(99, -1);

        assertThat(missing).isEqualTo(new Change.Missing(PRODUCTS, Key.of(99)));
        assertThatExceptionOfType(MissingRowException.class).isThrownBy(missing::orThrow);
    }

    @Test
    void amountThatIsNullIsAnError() {
        assertThatIllegalStateException().isThrownBy(() -> stock.add(3, 1)).withMessageContaining("NULL");
    }

    @Test
    void changeThatWouldOverflowIsRefused() {
        Counter free = Counter.over(rowlock, PRODUCTS, "stock").unbounded().build();

        assertThat(free.add(1, Long.MAX_VALUE - 10).orThrow()).isEqualTo(Long.MAX_VALUE);
        assertThat(((Change.Refused) free.add(1, 1)).reason()).contains("too large a number");
        assertThat(((Change.Refused) stock.add(2, Long.MAX_VALUE)).reason()).contains("too large a number");
        assertThat(free.add(2, -Long.MAX_VALUE).isApplied()).isTrue();
        assertThat(((Change.Refused) free.add(2, -Long.MAX_VALUE)).value()).isEqualTo(20 - Long.MAX_VALUE);
    }

    @Test
    void changeThatDoesNotFitTheColumnsTypeIsRefused() {
        Counter reserved = Counter.over(rowlock, PRODUCTS, "reserved").min(0).build();

        assertThat(((Change.Refused) reserved.add(1, Integer.MAX_VALUE + 1L)).reason())
                .isEqualTo("reserved is 0 and would be 2147483648, more than 2147483647");
    }

    @Test
    void severalColumnsChangeTogether() {
        Counter reserving = Counter.over(rowlock, PRODUCTS, "stock")
                .min(0)
                .also("reserved", -1)
                .max(7)
                .build();

        assertThat(reserving.add(1, -7))
                .isEqualTo(new Change.Applied(Key.of(1), 3, Map.of("stock", 3L, "reserved", 7L)));
        assertThat(((Change.Refused) reserving.add(1, -1)).reason())
                .isEqualTo("reserved is 7 and would be 8, more than 7");
        assertThat(reserving.add(1, 7).isApplied()).isTrue();
        assertThat(database.number("SELECT reserved FROM product WHERE id = 1")).isZero();
    }

    @Test
    void anotherColumnCanBeTheBound() {
        Counter seats =
                Counter.over(rowlock, PRODUCTS, "stock").maxColumn("capacity").build();

        assertThat(seats.add(5, 2).orThrow()).isEqualTo(12);
        assertThat(((Change.Refused) seats.add(5, 1)).reason()).isEqualTo("stock is 12 and would be 13, more than 12");
        assertThat(seats.add(1, 1_000).orThrow()).as("NULL sets no bound").isEqualTo(1_010);
    }

    @Test
    void conditionRefuses() {
        Counter onSale =
                Counter.over(rowlock, PRODUCTS, "stock").min(0).onlyIf("active").build();

        assertThat(((Change.Refused) onSale.add(4, -1)).reason()).isEqualTo("it does not fulfil (active)");
        assertThat(onSale.add(1, -1).isApplied()).isTrue();
        assertThat(onSale.transfer(1, 4, 1).isApplied()).isFalse();
    }

    @Test
    void transferMovesBetweenTwoRows() {
        Changes.Applied moved = stock.transfer(2, 1, 20).orThrow();

        assertThat(moved.value(2)).isZero();
        assertThat(moved.value(1)).isEqualTo(30);
        assertThat(stockOf(1) + stockOf(2)).isEqualTo(30);
    }

    @Test
    void transferThatOneRowRefusesChangesNeither() {
        Changes.Refused refused = (Changes.Refused) stock.transfer(1, 2, 11);

        assertThat(refused.rows()).extracting(Change.Refused::key).containsExactly(Key.of(1));
        assertThatExceptionOfType(RefusedChangeException.class).isThrownBy(refused::orThrow);
        assertThat(stockOf(2)).isEqualTo(20);
    }

    @Test
    void transferToAMissingRowChangesNothing() {
        Changes missing = stock.transfer(1, 99, 5);

        assertThat(missing).isEqualTo(new Changes.Missing(java.util.List.of(new Change.Missing(PRODUCTS, Key.of(99)))));
        assertThatExceptionOfType(MissingRowException.class).isThrownBy(missing::orThrow);
        assertThat(stockOf(1)).isEqualTo(10);
    }

    @Test
    void severalRowsAreTakenTogetherAndAllThatRefuseAreNamed() {
        Map<Integer, Long> order = new LinkedHashMap<>();
        order.put(2, -21L);
        order.put(5, -1L);
        order.put(1, -11L);
        Changes.Refused refused = (Changes.Refused) stock.addAll(order);
        assertThat(refused.rows()).extracting(Change.Refused::key).containsExactly(Key.of(2), Key.of(1));

        order.put(2, -20L);
        order.put(1, -10L);
        assertThat(stock.addAll(order).orThrow().rows())
                .extracting(Change.Applied::value)
                .containsExactly(0L, 9L, 0L);
    }

    @Test
    void changesWithinTheCallersTransactionAreGoneWithIt() {
        assertThatIllegalStateException()
                .isThrownBy(() -> rowlock.run(tx -> {
                    assertThat(stock.addIn(tx, 1, -4).orThrow()).isEqualTo(6);
                    assertThat(stock.addAllIn(tx, Map.of(1, -6L, 2, -1L)).isApplied())
                            .isTrue();
                    assertThat(stock.addAllIn(tx, Map.of(1, -6L, 2, -1L)).isApplied())
                            .isFalse();
                    assertThat(stock.add(1, 3).orThrow()).isEqualTo(3);
                    throw new IllegalStateException("changed my mind");
                }));

        assertThat(stockOf(1)).isEqualTo(10);
        assertThat(stockOf(2)).isEqualTo(20);
    }

    @Test
    void futuresBringTheSameAnswers() throws Exception {
        assertThat(stock.addAsync(1, -3).get(20, TimeUnit.SECONDS).orThrow()).isEqualTo(7);
        assertThat(stock.transferAsync(1, 2, 3).get(20, TimeUnit.SECONDS).isApplied())
                .isTrue();
        assertThat(stock.addAllAsync(Map.of(1, 1L)).get(20, TimeUnit.SECONDS).isApplied())
                .isTrue();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> stock.addAsync(3, 1).get(20, TimeUnit.SECONDS))
                .withCauseInstanceOf(IllegalStateException.class);
        assertThat(stockOf(1)).isEqualTo(5);
    }

    @Test
    void requestsThatMakeNoSenseAreRefusedBeforeAnythingIsSent() {
        assertThatIllegalArgumentException().isThrownBy(() -> stock.add(1, 0)).withMessageContaining("changes nothing");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> stock.add(1, Long.MIN_VALUE))
                .withMessageContaining("too large");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> stock.transfer(1, 2, 0))
                .withMessageContaining("at least 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> stock.transfer(1, 1, 5))
                .withMessageContaining("itself");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> stock.transfer(1, 1L, 5))
                .withMessageContaining("twice");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> stock.add("one", 5))
                .withMessage("key one of table product has a String for column id, which needs a Long");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> stock.addAll(Map.of()))
                .withMessageContaining("from 1 to 100 rows");
    }

    @Test
    void columnThatHoldsFractionsIsRefused() {
        Counter price = Counter.over(rowlock, PRODUCTS, "price").min(0).build();

        assertThatIllegalStateException().isThrownBy(() -> price.add(1, 1)).withMessageContaining("smallest unit");
    }
}
