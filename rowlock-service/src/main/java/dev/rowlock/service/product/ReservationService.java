package dev.rowlock.service.product;

import dev.rowlock.Rowlock;
import dev.rowlock.Tx;
import dev.rowlock.counter.Change;
import dev.rowlock.counter.Counter;
import dev.rowlock.jpa.JpaUnits;
import dev.rowlock.service.problem.ProblemException;
import dev.rowlock.service.problem.ProblemType;
import dev.rowlock.spring.meters.CounterMeters;
import jakarta.persistence.EntityManagerFactory;
import org.springframework.stereotype.Service;

/** Taking from stock. The stock goes down and the reservation appears in one transaction, or neither does. */
@Service
final class ReservationService {
    private final JpaUnits units;
    private final Counter stock;

    ReservationService(Rowlock rowlock, EntityManagerFactory factory, CounterMeters meters) {
        this.units = JpaUnits.over(rowlock, factory);
        this.stock = meters.count(
                "stock", Counter.over(rowlock, Stock.PRODUCTS, "stock").min(0).build());
    }

    /**
     * The guarded change comes first: it locks the product, so the next buyer is judged on what this one leaves. It is the counter's and
     * not an entity's: buyers of one product stand in line for its row, and one statement locks, checks and writes it where an entity
     * takes three, each of them a round trip that all the others wait for. In this transaction, not combined with others: each
     * reservation is a row that must be there with its own part of the stock.
     */
    Reservation reserve(long product, long quantity) {
        return units.call((tx, em) -> {
            long left = take(tx, product, quantity);
            StoredReservation reservation = new StoredReservation(product, quantity);
            em.persist(reservation);
            return reservation.toReservation(left);
        });
    }

    private long take(Tx tx, long product, long quantity) {
        Change change = stock.addIn(tx, product, -quantity);
        if (change instanceof Change.Refused refused) {
            throw outOfStock(product, refused.value(), quantity);
        }
        if (change instanceof Change.Missing) {
            throw ProductService.missing(product);
        }
        return change.orThrow();
    }

    static ProblemException outOfStock(long product, long stock, long quantity) {
        return new ProblemException(
                        ProblemType.OUT_OF_STOCK,
                        "Product " + product + " has " + stock + " in stock, fewer than " + quantity + ".")
                .with("id", product)
                .with("stock", stock)
                .with("quantity", quantity);
    }
}
