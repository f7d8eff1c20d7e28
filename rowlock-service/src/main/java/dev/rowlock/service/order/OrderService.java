package dev.rowlock.service.order;

import dev.rowlock.Rowlock;
import dev.rowlock.jobs.JobRequest;
import dev.rowlock.jobs.Jobs;
import dev.rowlock.jpa.JpaUnits;
import dev.rowlock.service.order.NewOrder.NewLine;
import dev.rowlock.service.problem.ProblemException;
import dev.rowlock.service.problem.ProblemType;
import dev.rowlock.service.product.Stock;
import dev.rowlock.service.request.Range;
import dev.rowlock.service.wallet.WalletService;
import jakarta.persistence.EntityManagerFactory;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.springframework.stereotype.Service;

/**
 * Placing orders. Locks are taken in one order everywhere: products by id, then the wallet. The wallet comes last because all orders of
 * one payer meet there, so it is held for the shortest time.
 */
@Service
final class OrderService {
    private final JpaUnits units;
    private final JpaUnits reads;
    private final Jobs jobs;
    private final Stock stock;
    private final WalletService wallets;

    OrderService(Rowlock rowlock, EntityManagerFactory factory, Jobs jobs, Stock stock, WalletService wallets) {
        this.units = JpaUnits.over(rowlock, factory);
        this.reads = JpaUnits.over(rowlock.readOnly(), factory);
        this.jobs = jobs;
        this.stock = stock;
        this.wallets = wallets;
    }

    /** Entities where they are the natural form, the wallet and the job by Rowlock itself: it is all one transaction. */
    Order place(NewOrder request) {
        return units.call((tx, em) -> {
            Map<Long, Long> quantities = new LinkedHashMap<>();
            request.lines().forEach(line -> quantities.put(line.productId(), line.quantity()));
            List<Order.Line> lines = priced(request.lines(), stock.take(em, quantities));
            long total = total(lines);
            long balance = wallets.pay(tx, request.walletId(), total);

            StoredOrder order = new StoredOrder(request.walletId(), total, lines);
            em.persist(order);
            em.persist(new AuditEntry(order.id(), request.walletId(), -total, balance));
            jobs.enqueue(
                    tx,
                    JobRequest.of(Confirmation.TYPE, Long.toString(order.id()))
                            .withUniqueKey(Confirmation.TYPE + " " + order.id()));
            return order.toOrder();
        });
    }

    private static List<Order.Line> priced(List<NewLine> lines, List<Long> prices) {
        return IntStream.range(0, lines.size())
                .mapToObj(i ->
                        new Order.Line(lines.get(i).productId(), lines.get(i).quantity(), prices.get(i)))
                .toList();
    }

    private static long total(List<Order.Line> lines) {
        BigInteger total = lines.stream()
                .map(line -> BigInteger.valueOf(line.quantity()).multiply(BigInteger.valueOf(line.price())))
                .reduce(BigInteger.ZERO, BigInteger::add);
        if (total.compareTo(BigInteger.valueOf(Range.MAX)) > 0) {
            throw new ProblemException(
                            ProblemType.ORDER_LIMIT,
                            "The order costs " + total + ", more than can be paid: " + Range.MAX + ".")
                    .with("limit", Range.MAX);
        }
        return total.longValueExact();
    }

    Order get(long id) {
        return reads.call((tx, em) ->
                        Optional.ofNullable(em.find(StoredOrder.class, id)).map(StoredOrder::toOrder))
                .orElseThrow(() -> new ProblemException(ProblemType.ORDER_NOT_FOUND, "There is no order " + id + ".")
                        .with("order", id));
    }
}
