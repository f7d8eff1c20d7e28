package dev.rowlock.service.product;

import static dev.rowlock.service.Twins.assertViolated;

import dev.rowlock.Rowlock;
import dev.rowlock.prover.Race;
import dev.rowlock.prover.RaceDatabase;
import dev.rowlock.prover.engine.Verdict.Anomaly;
import dev.rowlock.prover.junit.RaceExtension;
import dev.rowlock.service.ServiceEntities;
import dev.rowlock.service.Twins;
import dev.rowlock.spring.http.EntityTags;
import dev.rowlock.spring.meters.CounterMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.persistence.EntityManagerFactory;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The service's own code for products, on its own schema, in every order, beside its broken twins. */
@ExtendWith(RaceExtension.class)
class ProductProofTest {
    private RaceDatabase database;
    private EntityManagerFactory entities;
    private ReservationService reservations;
    private ProductService products;
    private Twins twins;

    @BeforeEach
    void open(RaceDatabase given) {
        database = given;
        Flyway.configure().dataSource(given.dataSource()).load().migrate();
        Rowlock rowlock = Rowlock.over(given.dataSource());
        entities = ServiceEntities.over(given.dataSource());
        reservations = new ReservationService(rowlock, entities, new CounterMeters(new SimpleMeterRegistry()));
        products = new ProductService(rowlock, entities);
        twins = new Twins(given.dataSource());
    }

    @AfterEach
    void close() {
        entities.close();
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

    private long reserve(String lock) {
        return twins.inTransaction(jdbc -> {
            long left = take(jdbc, lock);
            insertReservation(jdbc);
            return left;
        });
    }

    @Test
    void reservationsOfWhatWasRead() {
        assertViolated(
                reservationRace().actor("A", () -> reserve("")).actor("B", () -> reserve("")), Anomaly.LOST_UPDATE);
    }

    private long reserveAndTake() {
        return twins.inTransaction(jdbc -> {
            insertReservation(jdbc);
            return take(jdbc, " FOR UPDATE");
        });
    }

    /** The foreign key of each shares the product before its buyer asks for it alone. The number that the victim had drawn is gone. */
    @Test
    void reservationsBeforeTheLockOnTheProduct() {
        assertViolated(
                reservationRace()
                        .ignoring("reservation.id")
                        .actor("A", this::reserveAndTake)
                        .actor("B", this::reserveAndTake),
                Anomaly.DEADLOCK);
    }

    private static long take(JdbcClient jdbc, String lock) {
        long stock = jdbc.sql("SELECT stock FROM product WHERE id = 1" + lock)
                .query(Long.class)
                .single();
        if (stock < 2) {
            throw new IllegalStateException("only " + stock + " left");
        }
        jdbc.sql("UPDATE product SET stock = ? WHERE id = 1").param(stock - 2).update();
        return stock - 2;
    }

    private static void insertReservation(JdbcClient jdbc) {
        jdbc.sql("INSERT INTO reservation (product_id, quantity) VALUES (1, 2)").update();
    }

    @Test
    void editsOfAVersion() {
        race().actor("A", () -> products.change(1, null, new ProductPatch(1L, "Mug", null, null)))
                .actor("B", () -> products.change(1, null, new ProductPatch(1L, null, 90L, null)))
                .prove();
    }

    /** A client that knows of two versions has the row locked to compare them. */
    @Test
    void replacementsOfOneOfTwoVersions() {
        EntityTags tags = EntityTags.required("\"1\", \"7\"");
        race().actor("A", () -> products.replace(1, tags, new ProductData("Mug", 100L, 3L)))
                .actor("B", () -> products.replace(1, tags, new ProductData("Cup", 90L, 3L)))
                .prove();
    }

    private record Edited(String name, long price, long version) {}

    /** Loads the product, compares its version, changes what is asked for, stores all of it. */
    private Edited edit(@Nullable String name, @Nullable Long price, String lock) {
        return twins.inTransaction(jdbc -> {
            Edited old = jdbc.sql("SELECT name, price, version FROM product WHERE id = 1" + lock)
                    .query(Edited.class)
                    .single();
            if (old.version() != 1) {
                throw new IllegalStateException("version " + old.version() + " is there");
            }
            Edited edited = new Edited(
                    name == null ? old.name() : name, price == null ? old.price() : price, old.version() + 1);
            jdbc.sql("UPDATE product SET name = :name, price = :price, version = :version WHERE id = 1")
                    .paramSource(edited)
                    .update();
            return edited;
        });
    }

    @Test
    void editsThatCompareTheVersionInMemory() {
        assertViolated(
                race().actor("A", () -> edit("Mug", null, "")).actor("B", () -> edit(null, 90L, "")),
                Anomaly.LOST_UPDATE);
    }

    /** Nobody can change the version between the comparison and the write: nor can either of the two. */
    @Test
    void editsThatUpgradeAShareLock() {
        assertViolated(
                race().actor("A", () -> edit("Mug", null, " FOR SHARE"))
                        .actor("B", () -> edit(null, 90L, " FOR SHARE")),
                Anomaly.DEADLOCK);
    }
}
