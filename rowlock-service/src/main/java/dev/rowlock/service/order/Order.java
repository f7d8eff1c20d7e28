package dev.rowlock.service.order;

import dev.rowlock.Row;
import java.time.Instant;
import java.util.List;

/**
 * An order as it is answered.
 *
 * @param total what was paid, in minor units
 * @param lines in the order in which they were given
 */
record Order(long id, long walletId, long total, List<Line> lines, Instant createdAt) {

    /**
     * A line of it.
     *
     * @param price what one cost
     */
    record Line(long productId, long quantity, long price) {
        static Line of(Row row) {
            return new Line(row.getLong("product_id"), row.getLong("quantity"), row.getLong("price"));
        }
    }

    static Order of(Row row, List<Line> lines) {
        return new Order(
                row.getLong("id"),
                row.getLong("wallet_id"),
                row.getLong("total"),
                List.copyOf(lines),
                row.getInstant("created_at"));
    }
}
