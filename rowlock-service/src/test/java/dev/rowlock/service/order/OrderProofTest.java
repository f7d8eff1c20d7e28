package dev.rowlock.service.order;

import static dev.rowlock.service.Twins.assertViolated;

import dev.rowlock.Rowlock;
import dev.rowlock.RowlockSchema;
import dev.rowlock.jobs.Jobs;
import dev.rowlock.prover.Race;
import dev.rowlock.prover.RaceDatabase;
import dev.rowlock.prover.engine.Verdict.Anomaly;
import dev.rowlock.prover.junit.RaceExtension;
import dev.rowlock.service.ServiceEntities;
import dev.rowlock.service.Twins;
import dev.rowlock.service.order.NewOrder.NewLine;
import dev.rowlock.service.product.Stock;
import dev.rowlock.service.wallet.Wallets;
import jakarta.persistence.EntityManagerFactory;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Orders by the service's own code, on its own schema, in every order, beside a broken twin. */
@ExtendWith(RaceExtension.class)
class OrderProofTest {
    private RaceDatabase database;
    private EntityManagerFactory entities;
    private List<OrderService> instances;
    private Twins twins;

    @BeforeEach
    void open(RaceDatabase given) {
        database = given;
        Flyway.configure().dataSource(given.dataSource()).load().migrate();
        Rowlock rowlock = Rowlock.over(given.dataSource());
        RowlockSchema.install(rowlock);
        entities = ServiceEntities.over(given.dataSource());
        instances = IntStream.range(0, 2)
                .mapToObj(i -> new OrderService(
                        rowlock, entities, Jobs.over(rowlock).withoutNotify(), new Stock(), Wallets.over(rowlock)))
                .toList();
        twins = new Twins(given.dataSource());
    }

    @AfterEach
    void close() {
        entities.close();
    }

    private Race race() {
        return Race.on(database)
                .given("INSERT INTO wallet (balance) VALUES (100)")
                .given("INSERT INTO product (name, price, stock) VALUES ('Cup', 30, 3), ('Mug', 30, 3)")
                .ignoring(
                        "shop_order.created_at",
                        "audit_entry.created_at",
                        "rowlock_job.run_at",
                        "rowlock_job.enqueued_at")
                .invariant("never oversold", "SELECT min(stock) >= 0 FROM product")
                .invariant(
                        "the books balance",
                        "SELECT 100 - (SELECT balance FROM wallet) = coalesce(sum(total), 0) FROM shop_order")
                .invariant(
                        "each order has its job",
                        "SELECT (SELECT count(*) FROM rowlock_job) = (SELECT count(*) FROM shop_order)");
    }

    private static NewOrder order(long... products) {
        return new NewOrder(
                1L,
                Arrays.stream(products)
                        .mapToObj(product -> new NewLine(product, 1L))
                        .toList());
    }

    @Test
    void ordersInOppositeLines() {
        race().actor("A", () -> instances.get(0).place(order(1, 2)).total())
                .actor("B", () -> instances.get(1).place(order(2, 1)).total())
                .prove();
    }

    private long takeInOrderOfLines(long first, long second) {
        return twins.inTransaction(jdbc -> take(jdbc, first) + take(jdbc, second));
    }

    private static int take(JdbcClient jdbc, long product) {
        return jdbc.sql("UPDATE product SET stock = stock - 1 WHERE id = ? AND stock >= 1")
                .param(product)
                .update();
    }

    @Test
    void stockTakenInTheOrderOfTheLines() {
        assertViolated(
                race().actor("A", () -> takeInOrderOfLines(1, 2)).actor("B", () -> takeInOrderOfLines(2, 1)),
                Anomaly.DEADLOCK);
    }
}
