package dev.rowlock.service.product;

import dev.rowlock.MissingRowException;
import dev.rowlock.Row;
import dev.rowlock.Rows;
import dev.rowlock.Tx;
import dev.rowlock.service.problem.ProblemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;

/** Taking several products from stock at once, as part of something larger. */
@Component
public final class Stock {
    private static final String TAKE = """
            UPDATE product AS p
            SET stock = p.stock - taken.quantity,
                version = p.version + 1
            FROM unnest(?, ?) AS taken (id, quantity)
            WHERE p.id = taken.id""";

    /**
     * Takes all the quantities or none. The products are locked in the order of their ids, so that two orders with the same products
     * in opposite lines wait for each other instead of deadlocking; what is there is judged under the lock.
     *
     * @param quantities how many of which product, in the order in which a refusal shall name them
     * @return the price of each product, as it stands under the lock, in the same order
     * @throws ProblemException 404 or 409 that names the product; the transaction must be rolled back then
     */
    public List<Long> take(Tx tx, Map<Long, Long> quantities) {
        Rows products;
        try {
            products = tx.lockAll(ProductService.PRODUCTS, quantities.keySet());
        } catch (MissingRowException e) {
            throw ProductService.missing((Long) e.key().values().get(0));
        }
        List<Long> prices = new ArrayList<>();
        quantities.forEach((id, quantity) -> {
            Row product = products.get(id);
            if (product.getLong("stock") < quantity) {
                throw ReservationService.outOfStock(id, product.getLong("stock"), quantity);
            }
            prices.add(product.getLong("price"));
        });
        int changed = tx.execute(
                TAKE,
                quantities.keySet().toArray(Long[]::new),
                quantities.values().toArray(Long[]::new));
        if (changed != quantities.size()) {
            throw new IllegalStateException("took stock of " + changed + " products instead of " + quantities.size());
        }
        return prices;
    }
}
