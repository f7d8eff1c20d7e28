package dev.rowlock.samples.shop;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** That somebody has bought one. */
@Entity
@Table(name = "orders")
public class Order {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private @Nullable Long id;

    private long accountId;
    private long productId;

    protected Order() {}

    public Order(long accountId, long productId) {
        this.accountId = accountId;
        this.productId = productId;
    }

    public @Nullable Long getId() {
        return id;
    }

    public long getAccountId() {
        return accountId;
    }

    public long getProductId() {
        return productId;
    }
}
