package dev.rowlock.service.product;

import dev.rowlock.Row;
import dev.rowlock.Rowlock;
import dev.rowlock.Table;
import dev.rowlock.Tx;
import dev.rowlock.Write;
import dev.rowlock.service.problem.ProblemException;
import dev.rowlock.service.problem.ProblemType;
import org.springframework.stereotype.Service;

/** Taking from stock. The stock goes down and the reservation appears in one transaction, or neither does. */
@Service
final class ReservationService {
    private static final Table RESERVATIONS = Table.of("reservation", "id");

    private final Rowlock rowlock;

    ReservationService(Rowlock rowlock) {
        this.rowlock = rowlock;
    }

    Reservation reserve(long product, long quantity) {
        return rowlock.call(tx -> reserve(tx, product, quantity));
    }

    /** The guarded update comes first: it locks the product, so the next buyer is judged on what this one leaves. */
    private static Reservation reserve(Tx tx, long product, long quantity) {
        Write write = tx.update(ProductService.PRODUCTS, product)
                .add("stock", -quantity)
                .onlyIf("stock >= ?", quantity)
                .apply();
        if (write instanceof Write.Refused refused) {
            throw outOfStock(product, refused.current().getLong("stock"), quantity);
        }
        if (write instanceof Write.Missing) {
            throw ProductService.missing(product);
        }
        Row left = write.orThrow();
        Row stored = tx.insert(RESERVATIONS)
                .set("product_id", product)
                .set("quantity", quantity)
                .apply();
        return new Reservation(
                stored.getLong("id"), product, quantity, left.getLong("stock"), stored.getInstant("created_at"));
    }

    private static ProblemException outOfStock(long product, long stock, long quantity) {
        return new ProblemException(
                        ProblemType.OUT_OF_STOCK,
                        "Product " + product + " has " + stock + " in stock, fewer than " + quantity + ".")
                .with("id", product)
                .with("stock", stock)
                .with("quantity", quantity);
    }
}
