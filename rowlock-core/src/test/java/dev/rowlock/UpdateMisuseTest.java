package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.sql.SQLException;
import java.sql.Savepoint;
import org.junit.jupiter.api.Test;

/** Writes that are refused before they are sent, and those that the database refuses. */
class UpdateMisuseTest extends DatabaseTest {
    private static final Table PRODUCTS = Table.of("product", "id").withVersion("version");
    private static final Table PLAIN = Table.of("product", "id");

    UpdateMisuseTest() {
        super(
                "CREATE TABLE product (id bigint PRIMARY KEY, name text UNIQUE, stock int, version int NOT NULL)",
                "INSERT INTO product VALUES (1, 'one', 5, 7), (2, 'two', 5, 7)");
    }

    @Test
    void missingVersionIsRefused() {
        Long none = null;
        rowlock.run(tx -> assertThatIllegalArgumentException()
                .isThrownBy(() -> tx.update(PRODUCTS, 1).ifVersion(none))
                .withMessageContaining("ifVersion on product 1"));
    }

    @Test
    void versionOfATableWithoutOneIsRefused() {
        rowlock.run(tx -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> tx.update(PLAIN, 1).ifVersion(7))
                    .withMessageContaining("withVersion");
            assertThatIllegalStateException()
                    .isThrownBy(() -> tx.update(PLAIN, 1).keepVersion());
        });
    }

    @Test
    void versionAndKeyCannotBeSet() {
        rowlock.run(tx -> {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> tx.update(PRODUCTS, 1).set("version", 9))
                    .withMessageContaining("raised by the database alone");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> tx.update(PRODUCTS, 1).add("id", 1))
                    .withMessageContaining("part of the key");
        });
    }

    @Test
    void columnGivenTwiceIsRefused() {
        rowlock.run(tx -> assertThatIllegalArgumentException()
                .isThrownBy(() -> tx.update(PRODUCTS, 1).set("stock", 1).add("stock", 1))
                .withMessageContaining("given twice"));
    }

    @Test
    void updateWithoutAChangeIsRefused() {
        rowlock.run(tx -> assertThatIllegalStateException()
                .isThrownBy(() -> must(tx.update(PLAIN, 1).apply()))
                .withMessageContaining("changes nothing"));
    }

    @Test
    void updateIsSentOnce() {
        rowlock.run(tx -> {
            Update update = tx.update(PRODUCTS, 1).add("stock", 1);
            must(update.apply());
            assertThatIllegalStateException().isThrownBy(() -> must(update.apply()));
        });
        assertThat(database.number("SELECT stock FROM product WHERE id = 1")).isEqualTo(6);
    }

    @Test
    void guardWithTheWrongNumberOfValuesIsRefused() {
        rowlock.run(tx -> assertThatIllegalArgumentException()
                .isThrownBy(() -> tx.update(PRODUCTS, 1).onlyIf("stock >= ?"))
                .withMessageContaining("onlyIf on product 1"));
    }

    @Test
    void overflowIsAnErrorOfTheDatabaseAndRollsBack() {
        assertThatExceptionOfType(DatabaseException.class)
                .isThrownBy(() -> rowlock.run(tx -> {
                    must(tx.update(PRODUCTS, 2).set("stock", 1).apply());
                    must(tx.update(PRODUCTS, 1).add("stock", Integer.MAX_VALUE).apply());
                }))
                .satisfies(e -> assertThat(e.sqlState()).contains("22003"));
        assertThat(database.number("SELECT sum(stock) FROM product")).isEqualTo(10);
    }

    @Test
    void addOfALongToAnIntColumnIsNotCutOff() {
        assertThatExceptionOfType(DatabaseException.class)
                .isThrownBy(() -> rowlock.run(
                        tx -> must(tx.update(PRODUCTS, 1).add("stock", 1L << 32).apply())))
                .satisfies(e -> assertThat(e.sqlState()).contains("22003"));
    }

    @Test
    void duplicateIsAnErrorOfTheDatabase() {
        assertThatExceptionOfType(DatabaseException.class)
                .isThrownBy(() -> rowlock.run(
                        tx -> must(tx.update(PRODUCTS, 1).set("name", "two").apply())))
                .withMessageContaining("update of product 1")
                .satisfies(e -> assertThat(e.sqlState()).contains("23505"));
    }

    @Test
    void duplicateBehindASavepointIsForgotten() throws SQLException {
        rowlock.run(tx -> {
            Savepoint before = tx.connection().setSavepoint();
            assertThatExceptionOfType(DatabaseException.class)
                    .isThrownBy(() -> tx.insert(PRODUCTS)
                            .set("id", 3)
                            .set("name", "two")
                            .set("version", 1)
                            .apply());
            tx.connection().rollback(before);
            must(tx.update(PRODUCTS, 2).add("stock", 1).apply());
        });
        assertThat(database.number("SELECT stock FROM product WHERE id = 2")).isEqualTo(6);
    }

    @Test
    void duplicateThatIsSwallowedRollsBackAndIsTold() {
        assertThatIllegalStateException()
                .isThrownBy(() -> rowlock.run(tx -> {
                    must(tx.update(PRODUCTS, 2).add("stock", 1).apply());
                    assertThatExceptionOfType(DatabaseException.class)
                            .isThrownBy(() -> must(
                                    tx.update(PRODUCTS, 1).set("name", "two").apply()));
                }))
                .withMessageContaining("savepoint");
        assertThat(database.number("SELECT stock FROM product WHERE id = 2")).isEqualTo(5);
    }

    @Test
    void writeInAReadOnlyTransactionIsRefusedByTheDatabase() {
        assertThatExceptionOfType(DatabaseException.class)
                .isThrownBy(() -> rowlock.readOnly()
                        .run(tx -> must(tx.update(PRODUCTS, 1).add("stock", 1).apply())))
                .satisfies(e -> assertThat(e.sqlState()).contains("25006"));
    }

    @Test
    void tableWhoseKeyIsNotUniqueIsToldAndRolledBack() {
        Table byStock = Table.of("product", "stock");
        assertThatIllegalStateException()
                .isThrownBy(() -> rowlock.run(
                        tx -> must(tx.update(byStock, 5).set("name", null).apply())))
                .withMessageContaining("must be unique");
        assertThat(database.number("SELECT count(name) FROM product")).isEqualTo(2);
    }
}
