package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What becomes of a guarded write. */
class UpdateTest extends DatabaseTest {
    private static final Table PRODUCTS = Table.of("product", "id").withVersion("version");

    UpdateTest() {
        super(
                "CREATE TABLE product (id bigint PRIMARY KEY, stock int, price int, seen int, version bigint NOT NULL)",
                "INSERT INTO product VALUES (1, 5, 100, 0, 7)");
    }

    @Test
    void appliedCarriesTheRowAfterTheChange() {
        assertThat(update(u -> u.add("stock", -2).onlyIf("stock >= ?", 2)))
                .isInstanceOfSatisfying(Write.Applied.class, applied -> {
                    assertThat(applied.row().getInt("stock")).isEqualTo(3);
                    assertThat(applied.row().version()).isEqualTo(8);
                    assertThat(applied.row().values()).containsOnlyKeys("id", "stock", "price", "seen", "version");
                });
    }

    @Test
    void refusedCarriesTheCurrentRowAndChangesNothing() {
        Write refused = update(u -> u.add("stock", -6).onlyIf("stock >= ?", 6));

        assertThat(refused).isInstanceOfSatisfying(Write.Refused.class, one -> {
            assertThat(one.current().getInt("stock")).isEqualTo(5);
            assertThat(one.current().values()).containsOnlyKeys("id", "stock", "price", "seen", "version");
            assertThat(one.guard()).contains("stock >= ?");
        });
        assertThatExceptionOfType(RefusedWriteException.class)
                .isThrownBy(() -> must(refused))
                .withMessageContaining("row 1 of product")
                .satisfies(e -> assertThat(e.current().getInt("stock")).isEqualTo(5));
        assertThat(database.number("SELECT stock + version FROM product")).isEqualTo(12);
    }

    @Test
    void guardThatIsNullDoesNotHold() {
        database.sql("UPDATE product SET stock = NULL");
        assertThat(update(u -> u.set("price", 90).onlyIf("stock >= ?", 0))).isInstanceOf(Write.Refused.class);
    }

    @Test
    void staleCarriesBothVersionsAndChangesNothing() {
        Write stale = update(u -> u.set("price", 90).ifVersion(6));

        assertThatExceptionOfType(StaleRowException.class)
                .isThrownBy(() -> must(stale))
                .satisfies(e -> {
                    assertThat(e.expectedVersion()).isEqualTo(6);
                    assertThat(e.currentVersion()).isEqualTo(7);
                    assertThat(e.current().getInt("price")).isEqualTo(100);
                    assertThat(e.table()).isEqualTo(PRODUCTS);
                });
        assertThat(database.number("SELECT price + version FROM product")).isEqualTo(107);
    }

    @Test
    void missingNamesTheRow() {
        Write missing =
                rowlock.call(tx -> tx.update(PRODUCTS, 2).set("price", 1).apply());

        assertThat(missing).isEqualTo(new Write.Missing(PRODUCTS, Key.of(2)));
        assertThatExceptionOfType(MissingRowException.class).isThrownBy(() -> must(missing));
    }

    @Test
    void allGuardsAndTheVersionMustHold() {
        assertThat(update(u -> u.set("price", 1).onlyIf("stock = ?", 5).onlyIf("price = ? OR price = ?", 1, 2)))
                .isInstanceOf(Write.Refused.class);
        assertThat(update(u -> u.set("price", 1).onlyIf("stock = 5").ifVersion(6)))
                .isInstanceOf(Write.Stale.class);
        assertThat(update(u -> u.set("price", 1).onlyIf("stock = 9").ifVersion(7)))
                .isInstanceOf(Write.Refused.class);
        assertThat(update(u -> u.set("price", 1).onlyIf("stock = 9").ifVersion(6)))
                .isInstanceOf(Write.Stale.class);
        assertThat(update(u -> u.set("price", 1)
                        .onlyIf("stock = ?", 5)
                        .onlyIf("price = ?", 100)
                        .ifVersion(7)))
                .isInstanceOf(Write.Applied.class);
    }

    @Test
    void everyChangeRaisesTheVersionByOne() {
        must(update(u -> u.set("price", 1)));
        must(update(u -> u.add("stock", 1)));
        must(update(u -> u)); // a mere touch

        assertThat(database.number("SELECT version FROM product")).isEqualTo(10);
    }

    @Test
    void keepVersionLeavesItForEditorsWhoDoNotCare() {
        must(update(u -> u.add("seen", 1).keepVersion()));

        assertThat(database.number("SELECT version FROM product")).isEqualTo(7);
        assertThat(update(u -> u.set("price", 90).ifVersion(7)).isApplied()).isTrue();
    }

    @Test
    void addedAmountsMeetInTheDatabase() {
        Threads.Both both = threads.secondWaits(
                database,
                meet -> rowlock.call(tx -> {
                    int stock = tx.update(PRODUCTS, 1)
                            .add("stock", 10)
                            .apply()
                            .orThrow()
                            .getInt("stock");
                    meet.run();
                    return stock;
                }));

        assertThat(both).isEqualTo(new Threads.Both(15, 25));
    }

    @Test
    void refusedWriteLeavesTheTransactionUsable() {
        rowlock.run(tx -> {
            assertThat(tx.update(PRODUCTS, 1).set("price", 1).onlyIf("false").apply())
                    .isInstanceOf(Write.Refused.class);
            must(tx.update(PRODUCTS, 1).set("price", 2).apply());
        });

        assertThat(database.number("SELECT price FROM product")).isEqualTo(2);
    }

    @Test
    void nullIsAValueToSet() {
        must(update(u -> u.set("price", null)));

        assertThat(database.number("SELECT count(*) FROM product WHERE price IS NULL"))
                .isEqualTo(1);
    }

    private Write update(Function<Update, Update> change) {
        return rowlock.call(tx -> change.apply(tx.update(PRODUCTS, 1)).apply());
    }
}
