package dev.rowlock.service.order;

import dev.rowlock.Row;
import dev.rowlock.Rowlock;
import dev.rowlock.Table;
import dev.rowlock.Tx;
import dev.rowlock.jobs.JobRequest;
import dev.rowlock.jobs.Jobs;
import dev.rowlock.service.order.NewOrder.NewLine;
import dev.rowlock.service.problem.ProblemException;
import dev.rowlock.service.problem.ProblemType;
import dev.rowlock.service.product.Stock;
import dev.rowlock.service.request.Range;
import dev.rowlock.service.wallet.WalletService;
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
    static final Table ORDERS = Table.of("shop_order", "id");
    private static final Table AUDIT = Table.of("audit_entry", "id");

    private static final String INSERT_LINES = """
            INSERT INTO order_line (order_id, line_no, product_id, quantity, price)
            SELECT ?, line_no, product_id, quantity, price
            FROM unnest(?, ?, ?) WITH ORDINALITY AS line (product_id, quantity, price, line_no)""";
    private static final String SELECT_LINES = """
            SELECT product_id, quantity, price
            FROM order_line
            WHERE order_id = ?
            ORDER BY line_no""";

    private final Rowlock rowlock;
    private final Jobs jobs;
    private final Stock stock;
    private final WalletService wallets;

    OrderService(Rowlock rowlock, Jobs jobs, Stock stock, WalletService wallets) {
        this.rowlock = rowlock;
        this.jobs = jobs;
        this.stock = stock;
        this.wallets = wallets;
    }

    Order place(NewOrder request) {
        return rowlock.call(tx -> place(tx, request));
    }

    private Order place(Tx tx, NewOrder request) {
        Map<Long, Long> quantities = new LinkedHashMap<>();
        request.lines().forEach(line -> quantities.put(line.productId(), line.quantity()));
        List<Order.Line> lines = priced(request.lines(), stock.take(tx, quantities));
        long total = total(lines);
        long balance = wallets.pay(tx, request.walletId(), total);

        Row order = tx.insert(ORDERS)
                .set("wallet_id", request.walletId())
                .set("total", total)
                .apply();
        long id = order.getLong("id");
        insertLines(tx, id, lines);
        tx.insert(AUDIT)
                .set("order_id", id)
                .set("wallet_id", request.walletId())
                .set("amount", -total)
                .set("balance", balance)
                .apply();
        jobs.enqueue(
                tx, JobRequest.of(Confirmation.TYPE, Long.toString(id)).withUniqueKey(Confirmation.TYPE + " " + id));
        return Order.of(order, lines);
    }

    private static List<Order.Line> priced(List<NewLine> lines, List<Long> prices) {
        return IntStream.range(0, lines.size())
                .mapToObj(i ->
                        new Order.Line(lines.get(i).productId(), lines.get(i).quantity(), prices.get(i)))
                .toList();
    }

    private static void insertLines(Tx tx, long order, List<Order.Line> lines) {
        int inserted = tx.execute(
                INSERT_LINES,
                order,
                lines.stream().map(Order.Line::productId).toArray(Long[]::new),
                lines.stream().map(Order.Line::quantity).toArray(Long[]::new),
                lines.stream().map(Order.Line::price).toArray(Long[]::new));
        if (inserted != lines.size()) {
            throw new IllegalStateException(
                    "stored " + inserted + " lines of order " + order + " instead of " + lines.size());
        }
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
        return rowlock.readOnly()
                .call(tx -> find(tx, id))
                .orElseThrow(() -> new ProblemException(ProblemType.ORDER_NOT_FOUND, "There is no order " + id + ".")
                        .with("order", id));
    }

    private static Optional<Order> find(Tx tx, long id) {
        return tx.peek(ORDERS, id)
                .map(row -> Order.of(
                        row,
                        tx.query(SELECT_LINES, id).stream().map(Order.Line::of).toList()));
    }
}
