package dev.rowlock.service.order;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
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
     * A line of it, as it is stored too.
     *
     * @param price what one cost
     */
    @Embeddable
    record Line(@Column(name = "product_id") long productId, long quantity, long price) {}
}
