package dev.rowlock.service.product;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.Rowlock;
import dev.rowlock.prover.Race;
import dev.rowlock.prover.RaceDatabase;
import dev.rowlock.prover.engine.Verdict;
import dev.rowlock.prover.junit.RaceExtension;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The service's own code for products, on its own schema, in every order. */
@ExtendWith(RaceExtension.class)
class ProductProofTest {
    private RaceDatabase database;
    private ReservationService reservations;
    private ProductService products;

    @BeforeEach
    void open(RaceDatabase given) {
        database = given;
        Flyway.configure().dataSource(given.dataSource()).load().migrate();
        Rowlock rowlock = Rowlock.over(given.dataSource());
        reservations = new ReservationService(rowlock);
        products = new ProductService(rowlock);
    }

    private Race race() {
        return Race.on(database)
                .given("INSERT INTO product (name, price, stock) VALUES ('Cup', 100, 3)")
                .invariant("never oversold", "SELECT min(stock) >= 0 FROM product");
    }

    private Race reservationRace() {
        return race().ignoring("reservation.created_at")
                .invariant(
                        "what is gone is reserved",
                        "SELECT stock + (SELECT coalesce(sum(quantity), 0) FROM reservation) = 3 FROM product");
    }

    @Test
    void reservations() {
        reservationRace()
                .actor("A", () -> reservations.reserve(1, 2).stock())
                .actor("B", () -> reservations.reserve(1, 2).stock())
                .prove();
    }

    private Long reserveUnlocked() {
        JdbcClient jdbc = JdbcClient.create(database.dataSource());
        Long stock = jdbc.sql("SELECT stock FROM product WHERE id = 1")
                .query(Long.class)
                .single();
        jdbc.sql("UPDATE product SET stock = ? WHERE id = 1").param(stock - 1).update();
        return stock - 1;
    }

    @Test
    void reservationsOfWhatWasRead() {
        assertThat(race().actor("A", this::reserveUnlocked)
                        .actor("B", this::reserveUnlocked)
                        .explore()
                        .verdict())
                .isInstanceOf(Verdict.Violated.class);
    }

    @Test
    void editsOfAVersion() {
        race().actor("A", () -> products.change(1, null, new ProductPatch(1L, "Mug", null, null)))
                .actor("B", () -> products.change(1, null, new ProductPatch(1L, null, 90L, null)))
                .prove();
    }
}
