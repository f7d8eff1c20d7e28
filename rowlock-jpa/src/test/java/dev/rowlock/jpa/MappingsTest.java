package dev.rowlock.jpa;

import static dev.rowlock.jpa.JpaDatabase.call;
import static dev.rowlock.jpa.JpaDatabase.isLocked;
import static dev.rowlock.jpa.JpaDatabase.run;
import static dev.rowlock.jpa.JpaDatabase.sql;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.Key;
import dev.rowlock.Lock;
import dev.rowlock.MissingRowException;
import dev.rowlock.jpa.Entities.Account;
import dev.rowlock.jpa.Entities.Basket;
import dev.rowlock.jpa.Entities.Batched;
import dev.rowlock.jpa.Entities.Car;
import dev.rowlock.jpa.Entities.CardPayment;
import dev.rowlock.jpa.Entities.Customer;
import dev.rowlock.jpa.Entities.Line;
import dev.rowlock.jpa.Entities.LineId;
import dev.rowlock.jpa.Entities.Payment;
import dev.rowlock.jpa.Entities.Product;
import dev.rowlock.jpa.Entities.Seat;
import dev.rowlock.jpa.Entities.SeatId;
import dev.rowlock.jpa.Entities.Shipment;
import dev.rowlock.jpa.Entities.Truck;
import dev.rowlock.jpa.Entities.Vehicle;
import jakarta.persistence.EntityGraph;
import jakarta.persistence.EntityManager;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.hibernate.Hibernate;
import org.junit.jupiter.api.Test;

/** The lock is on every row of the entity and what is handed out is read under it, however the entity is mapped. */
class MappingsTest extends JpaTest {
    private static final Lock LOCK = Lock.forNoKeyUpdate();

    /** Another transaction has changed the row and commits while this one waits for it. */
    private static <T> T whileOtherCommits(String change, Function<EntityManager, T> locking) {
        CompletableFuture<T> waiting;
        try (Other other = new Other(change)) {
            waiting = start(() -> call(locking));
            JpaDatabase.awaitBlocked(waiting);
            other.commit();
        }
        return waiting.join();
    }

    @Test
    void joinedSubclassAskedForByItsRoot() {
        sql("INSERT INTO Payment VALUES (1, 'new')", "INSERT INTO CardPayment VALUES (5, 1)");
        run(em -> {
            assertThat(JpaLocks.over(em).lock(Payment.class, 1L)).isInstanceOf(CardPayment.class);
            assertThat(isLocked("Payment", "id = 1")).isTrue();
            assertThat(isLocked("CardPayment", "id = 1")).isTrue();
        });
    }

    /** The writer's UPDATE touches the subclass's table alone. */
    @Test
    void joinedSubclassThatIsWrittenInItsOwnTable() {
        sql("INSERT INTO Payment VALUES (1, 'new')", "INSERT INTO CardPayment VALUES (5, 1)");
        for (Class<? extends Payment> type : List.of(Payment.class, CardPayment.class)) {
            sql("UPDATE CardPayment SET amount = 5");
            int amount = whileOtherCommits(
                    "UPDATE CardPayment SET amount = 50 WHERE id = 1",
                    em -> ((CardPayment) JpaLocks.over(em).lock(type, 1L)).amount);
            assertThat(amount).isEqualTo(50);
        }
    }

    @Test
    void joinedSubclassFoundByAQuery() {
        sql("INSERT INTO Payment VALUES (1, 'new')", "INSERT INTO CardPayment VALUES (5, 1)");
        for (Class<? extends Payment> type : List.of(Payment.class, CardPayment.class)) {
            sql("UPDATE CardPayment SET amount = 5");
            int amount = whileOtherCommits(
                    "UPDATE CardPayment SET amount = 50 WHERE id = 1",
                    em -> ((CardPayment) JpaLocks.over(em)
                                    .lockWhere(type, "SELECT p FROM " + type.getSimpleName() + " p", Map.of(), LOCK)
                                    .get(0))
                            .amount);
            assertThat(amount).isEqualTo(50);
        }
    }

    @Test
    void rootOfAJoinedHierarchyWithoutSubclassRow() {
        sql("INSERT INTO Payment VALUES (1, 'new'), (2, 'new')", "INSERT INTO CardPayment VALUES (5, 2)");
        run(em -> {
            assertThat(JpaLocks.over(em).lockAll(Payment.class, List.of(2L, 1L), LOCK))
                    .hasSize(2);
            assertThat(isLocked("Payment", "id = 1")).isTrue();
            assertThatThrownBy(() -> JpaLocks.over(em).lock(CardPayment.class, 1L))
                    .isInstanceOf(MissingRowException.class);
        });
    }

    @Test
    void tablePerClassAskedForByItsRoot() {
        sql("INSERT INTO Car (id, mileage) VALUES (1, 10)", "INSERT INTO Truck (id, mileage) VALUES (2, 20)");
        run(em -> {
            Map<Object, Vehicle> locked = JpaLocks.over(em).lockAll(Vehicle.class, List.of(2L, 1L), LOCK);
            assertThat(locked.get(1L)).isInstanceOf(Car.class);
            assertThat(locked.get(2L)).isInstanceOf(Truck.class);
            assertThat(isLocked("Car", "id = 1")).isTrue();
            assertThat(isLocked("Truck", "id = 2")).isTrue();
        });
        int mileage = whileOtherCommits(
                "UPDATE Truck SET mileage = 21 WHERE id = 2",
                em -> JpaLocks.over(em).lock(Vehicle.class, 2L).mileage);
        assertThat(mileage).isEqualTo(21);
    }

    @Test
    void tablePerClassIsQueriedByConcreteClass() {
        sql("INSERT INTO Car (id, mileage) VALUES (1, 10)");
        run(em -> {
            assertThatThrownBy(
                            () -> JpaLocks.over(em).lockWhere(Vehicle.class, "SELECT v FROM Vehicle v", Map.of(), LOCK))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Car, Truck")
                    .hasMessageContaining("query each concrete class");
            assertThat(JpaLocks.over(em).lockWhere(Car.class, "SELECT v FROM Car v", Map.of(), LOCK))
                    .hasSize(1);
            assertThat(isLocked("Car", "id = 1")).isTrue();
        });
    }

    @Test
    void secondaryTableThatIsWrittenAlone() {
        sql("INSERT INTO Customer VALUES (1, 'Ada')", "INSERT INTO customer_points (id, points) VALUES (1, 3)");
        int points = whileOtherCommits(
                "UPDATE customer_points SET points = 30 WHERE id = 1",
                em -> JpaLocks.over(em).lock(Customer.class, 1L).points);
        assertThat(points).isEqualTo(30);
        sql("UPDATE customer_points SET points = 3");
        points = whileOtherCommits(
                "UPDATE customer_points SET points = 30 WHERE id = 1",
                em -> JpaLocks.over(em)
                        .lockWhere(Customer.class, "SELECT c FROM Customer c WHERE c.name = 'Ada'", Map.of(), LOCK)
                        .get(0)
                        .points);
        assertThat(points).isEqualTo(30);
    }

    @Test
    void embeddedId() {
        sql("INSERT INTO Line (order_id, line_no, amount) VALUES (7, 1, 10), (7, 2, 20), (8, 1, 30)");
        run(em -> {
            JpaLocks locks = JpaLocks.over(em);
            assertThat(locks.lock(Line.class, new LineId(7, 2)).amount).isEqualTo(20);
            assertThat(isLocked("Line", "order_id = 7 AND line_no = 2")).isTrue();
            assertThat(isLocked("Line", "order_id = 7 AND line_no = 1 OR order_id = 8"))
                    .isFalse();
            assertThat(locks.lockAll(Line.class, List.of(new LineId(8, 1), new LineId(7, 1)), LOCK))
                    .hasSize(2);
            assertThat(locks.lockWhere(Line.class, "SELECT l FROM Line l", Map.of(), LOCK))
                    .extracting(line -> line.amount)
                    .containsExactly(10, 20, 30);
            assertThatThrownBy(() -> locks.lock(Line.class, new LineId(9, 9)))
                    .isInstanceOfSatisfying(
                            MissingRowException.class,
                            missing -> assertThat(missing.key()).isEqualTo(keyOf(missing, "order_id", 9, 9)));
        });
    }

    private static Key keyOf(MissingRowException missing, String first, long a, long b) {
        return missing.table().key().get(0).equals(first) ? Key.of(a, b) : Key.of(b, a);
    }

    @Test
    void idClass() {
        sql("INSERT INTO Seat (flight, number, passenger) VALUES ('LH1', 1, null), ('LH1', 2, 'Bob')");
        run(em -> {
            JpaLocks locks = JpaLocks.over(em);
            assertThat(locks.lock(Seat.class, new SeatId("LH1", 2)).passenger).isEqualTo("Bob");
            assertThat(isLocked("Seat", "number = 2")).isTrue();
            assertThat(isLocked("Seat", "number = 1")).isFalse();
            assertThat(locks.lockAll(
                            Seat.class,
                            List.of(new SeatId("LH1", 3), new SeatId("LH1", 1)),
                            Lock.forUpdate().skipLocked()))
                    .containsOnlyKeys(new SeatId("LH1", 1));
            assertThat(locks.lockWhere(Seat.class, "SELECT s FROM Seat s WHERE s.flight = 'LH1'", Map.of(), LOCK))
                    .hasSize(2);
            assertThatThrownBy(() -> locks.lock(Seat.class, new SeatId("LH2", 1)))
                    .isInstanceOf(MissingRowException.class);
        });
    }

    @Test
    void reference() {
        sql("INSERT INTO Account VALUES (100, 1, 'open')");
        run(em -> {
            Account reference = em.getReference(Account.class, 1L);
            sql("UPDATE Account SET balance = 7");
            assertThat(JpaLocks.over(em).lock(Account.class, 1L).balance).isEqualTo(7);
            assertThat(Hibernate.isInitialized(reference)).isTrue();
            assertThat(isLocked("Account", "id = 1")).isTrue();
        });
    }

    @Test
    void referenceThatWasLoadedBefore() {
        sql("INSERT INTO Account VALUES (100, 1, 'open')");
        run(em -> {
            Account reference = em.getReference(Account.class, 1L);
            Hibernate.initialize(reference);
            sql("UPDATE Account SET balance = 7");
            assertThat(JpaLocks.over(em).lock(Account.class, 1L).balance).isEqualTo(7);
            assertThat(((Account) Hibernate.unproxy(reference)).balance).isEqualTo(7);
        });
    }

    @Test
    void batchLoadingLocksNoMoreThanWhatWasAskedFor() {
        sql("INSERT INTO Batched VALUES (10, 1), (20, 2), (30, 3)");
        run(em -> {
            em.getReference(Batched.class, 2L);
            em.getReference(Batched.class, 3L);
            assertThat(JpaLocks.over(em).lock(Batched.class, 3L).amount).isEqualTo(30);
            assertThat(isLocked("Batched", "id = 3")).isTrue();
            assertThat(isLocked("Batched", "id < 3")).isFalse();
            sql("UPDATE Batched SET amount = 21 WHERE id = 2");
            assertThat(JpaLocks.over(em).lock(Batched.class, 2L).amount).isEqualTo(21);
        });
    }

    @Test
    void eagerOuterJoinLocksTheRootOnly() {
        sql(
                "INSERT INTO Account VALUES (100, 1, 'open')",
                "INSERT INTO Shipment (id, state, payer_id) VALUES (1, 'packed', 1), (2, 'packed', null)");
        run(em -> {
            assertThat(JpaLocks.over(em).lock(Shipment.class, 1L).payer.balance).isEqualTo(100);
            assertThat(isLocked("Shipment", "id = 1")).isTrue();
            assertThat(isLocked("Account", "id = 1")).isFalse();
        });
        String state = whileOtherCommits(
                "UPDATE Shipment SET state = 'sent' WHERE id = 2",
                em -> JpaLocks.over(em).lock(Shipment.class, 2L).state);
        assertThat(state).isEqualTo("sent");
    }

    @Test
    void fetchGraphLocksTheRootOnly() {
        sql(
                "INSERT INTO Batched VALUES (10, 1)",
                "INSERT INTO Shipment (id, state, batched_id) VALUES (1, 'packed', 1)");
        run(em -> {
            EntityGraph<Shipment> graph = em.createEntityGraph(Shipment.class);
            graph.addAttributeNodes("batched");
            em.find(Shipment.class, 1L, Map.of("jakarta.persistence.fetchgraph", graph));
            JpaLocks.over(em).lock(Shipment.class, 1L);
            assertThat(isLocked("Shipment", "id = 1")).isTrue();
            assertThat(isLocked("Batched", "id = 1")).isFalse();
        });
    }

    /** The rows of a collection are not the entity's, but whoever holds the owner's lock sees them as they are. */
    @Test
    void elementCollectionIsReadUnderTheLockOfItsOwner() {
        sql("INSERT INTO Basket VALUES (1)", "INSERT INTO Basket_items VALUES (1, 'apple')");
        run(em -> {
            Basket basket = em.find(Basket.class, 1L);
            assertThat(basket.items).containsExactly("apple");
            sql("INSERT INTO Basket_items VALUES (1, 'pear')");
            assertThat(JpaLocks.over(em).lock(Basket.class, 1L).items).containsExactlyInAnyOrder("apple", "pear");
            assertThat(isLocked("Basket", "id = 1")).isTrue();
            assertThat(isLocked("Basket_items", "true")).isFalse();
        });
    }

    @Test
    void naturalIdInAQuery() {
        sql("INSERT INTO Product (id, stock, code, version) VALUES (1, 3, 'A-1', 0)");
        run(em -> {
            em.find(Product.class, 1L);
            sql("UPDATE Product SET stock = 2, version = 1");
            Product product = JpaLocks.over(em)
                    .lockWhere(
                            Product.class, "SELECT p FROM Product p WHERE p.code = :code", Map.of("code", "A-1"), LOCK)
                    .get(0);
            assertThat(product.stock).isEqualTo(2);
            assertThat(product.version).isEqualTo(1);
        });
    }
}
