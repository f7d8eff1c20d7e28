package dev.rowlock.service.product;

import dev.rowlock.Lock;
import dev.rowlock.MissingRowException;
import dev.rowlock.Table;
import dev.rowlock.jpa.JpaLocks;
import dev.rowlock.service.problem.ProblemException;
import jakarta.persistence.EntityManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.stereotype.Component;

/** Taking several products from stock at once, as part of something larger. */
@Component
public final class Stock {
    /** The rows of products, for statements that are not Hibernate's. */
    static final Table PRODUCTS = Table.of("product", "id").withVersion("version");

    /**
     * Takes all the quantities or none. The products are locked in the order of their ids, so that two orders with the same products
     * in opposite lines wait for each other instead of deadlocking; what is there is judged under the lock. Everything is sent before
     * this returns: what is locked next is held for none of it.
     *
     * @param quantities how many of which product, in the order in which a refusal shall name them
     * @return the price of each product, as it stands under the lock, in the same order
     * @throws ProblemException 404 or 409 that names the product; the transaction must be rolled back then
     */
    public List<Long> take(EntityManager em, Map<Long, Long> quantities) {
        Map<Object, StoredProduct> products;
        try {
            products = locks(em).lockAll(StoredProduct.class, quantities.keySet(), Lock.forNoKeyUpdate());
        } catch (MissingRowException e) {
            throw ProductService.missing((Long) e.key().values().get(0));
        }
        List<Long> prices = new ArrayList<>();
        quantities.forEach((id, quantity) -> {
            StoredProduct product = Objects.requireNonNull(products.get(id));
            if (!product.take(quantity)) {
                throw ReservationService.outOfStock(id, product.stock(), quantity);
            }
            prices.add(product.price());
        });
        em.flush();
        return prices;
    }

    /** The wait for a lock is limited by the unit of work that the entity manager is of. */
    static JpaLocks locks(EntityManager em) {
        return JpaLocks.over(em).withLockTimeoutOfTheSession();
    }
}
