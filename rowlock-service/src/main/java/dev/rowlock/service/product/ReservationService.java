package dev.rowlock.service.product;

import dev.rowlock.Row;
import dev.rowlock.Rowlock;
import dev.rowlock.Table;
import dev.rowlock.Tx;
import dev.rowlock.counter.Change;
import dev.rowlock.counter.Counter;
import dev.rowlock.service.problem.ProblemException;
import dev.rowlock.service.problem.ProblemType;
import dev.rowlock.spring.meters.CounterMeters;
import org.springframework.stereotype.Service;

/** Taking from stock. The stock goes down and the reservation appears in one transaction, or neither does. */
@Service
final class ReservationService {
    private static final Table RESERVATIONS = Table.of("reservation", "id");

    private final Rowlock rowlock;
    private final Counter stock;

    ReservationService(Rowlock rowlock, CounterMeters meters) {
        this.rowlock = rowlock;
        this.stock = meters.count(
                "stock",
                Counter.over(rowlock, ProductService.PRODUCTS, "stock").min(0).build());
    }

    Reservation reserve(long product, long quantity) {
        return rowlock.call(tx -> reserve(tx, product, quantity));
    }

    /**
     * The guarded change comes first: it locks the product, so the next buyer is judged on what this one leaves. In this transaction,
     * not combined with others: each reservation is a row that must be there with its own part of the stock.
     */
    private Reservation reserve(Tx tx, long product, long quantity) {
        long left = take(tx, product, quantity);
        Row stored = tx.insert(RESERVATIONS)
                .set("product_id", product)
                .set("quantity", quantity)
                .apply();
        return new Reservation(stored.getLong("id"), product, quantity, left, stored.getInstant("created_at"));
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
