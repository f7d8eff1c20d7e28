package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The README's quick start, as it stands there, and what it claims. */
class QuickStartTest {
    private TestDatabase database;
    private final List<String> mails = new ArrayList<>();

    @BeforeEach
    void open() {
        database = TestDatabase.create(
                "CREATE TABLE wallet (id bigint PRIMARY KEY, balance bigint NOT NULL)",
                "CREATE TABLE product (id bigint PRIMARY KEY, price bigint NOT NULL, stock bigint NOT NULL,"
                        + " version bigint NOT NULL)",
                "INSERT INTO wallet VALUES (1, 100), (2, 0)",
                "INSERT INTO product VALUES (7, 250, 3, 1)");
    }

    @AfterEach
    void close() {
        database.close();
    }

    // quick start: begin
    static final Table WALLETS = Table.of("wallet", "id");
    static final Table PRODUCTS = Table.of("product", "id").withVersion("version");

    // Lock the row, then decide on what is under the lock.
    long charge(Rowlock rowlock, long wallet, long amount) {
        return rowlock.withLock(WALLETS, wallet, (tx, row) -> {
            if (row.getLong("balance") < amount) {
                throw new IllegalStateException("only " + row.getLong("balance") + " left");
            }
            tx.afterCommit(() -> mails.add("charged " + amount)); // once, and only if it really happened
            return tx.update(WALLETS, wallet)
                    .add("balance", -amount)
                    .apply()
                    .orThrow()
                    .getLong("balance");
        });
    }

    // Any number of rows, always locked in key order: opposite transfers cannot deadlock.
    void transfer(Rowlock rowlock, long from, long to, long amount) {
        rowlock.runWithLocks(WALLETS, List.of(from, to), (tx, rows) -> {
            tx.update(WALLETS, from)
                    .add("balance", -amount)
                    .onlyIf("balance >= ?", amount)
                    .apply()
                    .orThrow();
            tx.update(WALLETS, to).add("balance", amount).apply().orThrow();
        });
    }

    // Two people edited the same version: the second is told, with the current row. Applied, Stale or Missing.
    Write reprice(Rowlock rowlock, long product, long price, Long versionRead) {
        return rowlock.call(tx -> tx.update(PRODUCTS, product)
                .set("price", price)
                .ifVersion(versionRead)
                .apply());
    }
    // quick start: end

    @Test
    void standsInTheReadmeToTheLetter() throws IOException {
        String source = Files.readString(Path.of("src/test/java/dev/rowlock/QuickStartTest.java"));
        String begin = "    // quick start: begin\n";
        String snippet =
                source.substring(source.indexOf(begin) + begin.length(), source.indexOf("    // quick start: end"));

        assertThat(Files.readString(Path.of("../README.md")).replace("\r\n", "\n"))
                .contains("```java\n" + snippet.replaceAll("(?m)^    ", "") + "```");
    }

    @Test
    void doesWhatTheReadmeSays() {
        DataSource dataSource = database.pool();
        Rowlock rowlock = Rowlock.over(dataSource);

        assertThat(charge(rowlock, 1, 80)).isEqualTo(20);
        assertThat(mails).containsExactly("charged 80");
        transfer(rowlock, 1, 2, 15);
        assertThat(database.number("SELECT balance FROM wallet WHERE id = 2")).isEqualTo(15);

        assertThat(reprice(rowlock, 7, 90, 1L)).isInstanceOf(Write.Applied.class);
        assertThat(reprice(rowlock, 7, 80, 1L))
                .isInstanceOfSatisfying(
                        Write.Stale.class,
                        stale -> assertThat(stale.current().getLong("price")).isEqualTo(90));
        assertThat(reprice(rowlock, 8, 90, 1L)).isInstanceOf(Write.Missing.class);
    }
}
