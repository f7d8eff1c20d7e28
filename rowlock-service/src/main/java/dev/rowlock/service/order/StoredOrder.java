package dev.rowlock.service.order;

import jakarta.persistence.CollectionTable;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.OrderColumn;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.annotations.Generated;
import org.hibernate.annotations.ListIndexBase;

/** An order as it is stored, with its lines. It is written whole and never changed, so it has no version. */
@Entity
@Table(name = "shop_order")
class StoredOrder {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private long id;

    @Column(name = "wallet_id")
    private long walletId;

    private long total;

    @ElementCollection
    @CollectionTable(name = "order_line", joinColumns = @JoinColumn(name = "order_id"))
    @OrderColumn(name = "line_no")
    @ListIndexBase(1)
    private List<Order.Line> lines = new ArrayList<>();

    @Generated
    @Column(name = "created_at", insertable = false, updatable = false)
    private Instant createdAt = Instant.EPOCH;

    /** For Hibernate. */
    StoredOrder() {}

    StoredOrder(long walletId, long total, List<Order.Line> lines) {
        this.walletId = walletId;
        this.total = total;
        this.lines.addAll(lines);
    }

    long id() {
        return id;
    }

    long total() {
        return total;
    }

    /** As it is answered, once it is inserted. */
    Order toOrder() {
        return new Order(id, walletId, total, List.copyOf(lines), createdAt);
    }
}
