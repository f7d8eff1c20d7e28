package dev.rowlock.jpa;

import static dev.rowlock.jpa.JpaDatabase.run;
import static dev.rowlock.jpa.JpaDatabase.sql;
import static dev.rowlock.jpa.JpaDatabase.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.Lock;
import dev.rowlock.Rowlock;
import dev.rowlock.jpa.Entities.Account;
import dev.rowlock.jpa.Entities.Product;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The examples of docs/jpa.md, as they stand there. */
class JpaGuideTest extends JpaTest {
    private static void example(EntityManager em, long id, long from, long to, long clientVersion) {
        // guide: begin
        JpaLocks locks = JpaLocks.over(em); // Spring's shared one, or your own

        // Locks the row, reads the entity under the lock, hands it out. Hibernate writes it at the commit, as ever.
        int left = locks.withLock(Account.class, id, (m, account) -> account.withdraw(80));

        // Any number, always locked in key order.
        locks.withLocks(Account.class, List.of(from, to), (m, accounts) -> {
            accounts.get(to).balance += 30;
            return accounts.get(from).withdraw(30);
        });

        // What a query finds: ten that nobody else has.
        List<Account> mine = locks.lockWhere(
                Account.class,
                "SELECT a FROM Account a WHERE a.status = :status",
                Map.of("status", "open"),
                Lock.forNoKeyUpdate().skipLocked().first(10));

        // Another strength, another wait.
        locks.lock(Account.class, id, Lock.forUpdate().waitAtMost(Duration.ofMillis(200)));

        // No lock: the client's version decides, and a change that comes too late is told with the current row.
        JpaVersions versions = JpaVersions.over(em);
        Product product = versions.ifVersion(Product.class, id, clientVersion);
        product.stock = 7;
        versions.flush();
        // guide: end
        assertThat(left).isEqualTo(20);
        assertThat(mine).hasSize(3);
    }

    // guide parent: begin
    @Entity(name = "OrderLine")
    static class OrderLine {
        @Id
        long id;

        int amount;

        @ManyToOne(fetch = FetchType.LAZY)
        @RaisesParentVersion
        Product product;
    }
    // guide parent: end

    private static void change(EntityManager em, long id) {
        // guide parent change: begin
        Product product = em.find(Product.class, id); // first, so that its version guards what is read from here on
        List<OrderLine> lines = em.createQuery("SELECT l FROM OrderLine l WHERE l.product = :product", OrderLine.class)
                .setParameter("product", product)
                .getResultList();
        if (lines.stream().mapToInt(line -> line.amount).sum() < product.stock) {
            lines.get(0).amount++;
        }
        // guide parent change: end
    }

    private static int units(DataSource dataSource, EntityManagerFactory entityManagerFactory, long id) {
        // guide units: begin
        JpaUnits units = JpaUnits.over(Rowlock.over(dataSource), entityManagerFactory);

        int left = units.call(
                (tx, em) -> JpaLocks.over(em).withLock(Account.class, id, (m, account) -> account.withdraw(10)));
        // guide units: end
        return left;
    }

    @Test
    void doesWhatThePageSays() {
        sql(
                "INSERT INTO Account (id, balance, status) SELECT n, 100, 'open' FROM generate_series(1, 3) AS n",
                "INSERT INTO Product (id, stock, code, version) VALUES (1, 3, 'A-1', 4)");
        run(em -> example(em, 1, 2, 3, 4));
        assertThat(value("SELECT string_agg(balance::text, ' ' ORDER BY id) FROM Account"))
                .isEqualTo("20 70 130");
        assertThat(value("SELECT stock || '/' || version FROM Product")).isEqualTo("7/5");
        assertThat(units(JpaDatabase.dataSource(), JpaDatabase.factory(), 1)).isEqualTo(10);
    }

    @Test
    void lineRaisesItsProduct() {
        sql("INSERT INTO Product (id, stock, code, version) VALUES (1, 3, 'A-1', 4)");
        try (EntityManagerFactory factory = JpaDatabase.factory(
                JpaDatabase.dataSource(),
                Map.of(
                        "hibernate.loaded_classes",
                        List.of(Product.class, OrderLine.class),
                        "hibernate.hbm2ddl.auto",
                        "update"))) {
            JpaDatabase.sql("INSERT INTO OrderLine (id, amount, product_id) VALUES (1, 1, 1)");
            JpaDatabase.call(factory, em -> {
                change(em, 1);
                return "done";
            });
        }
        assertThat(value("SELECT version FROM Product")).isEqualTo("5");
    }

    @Test
    void standsOnThePageToTheLetter() throws IOException {
        String source = Files.readString(Path.of("src/test/java/dev/rowlock/jpa/JpaGuideTest.java"));
        String page = Files.readString(Path.of("../docs/jpa.md")).replace("\r\n", "\n");
        for (String name : List.of("guide", "guide units", "guide parent", "guide parent change")) {
            String begin = "// " + name + ": begin\n";
            String snippet =
                    source.substring(source.indexOf(begin) + begin.length(), source.indexOf("// " + name + ": end"));
            assertThat(page).contains("```java\n" + snippet.stripIndent().stripTrailing() + "\n```");
        }
    }
}
