package dev.rowlock.service.product;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;

/**
 * A product as it is stored. Whoever writes one raises its version: a flush does so by itself, and the counter that takes reservations
 * from the same row does so in its statement, so an edit of what was read before either is stale.
 */
@Entity
@Table(name = "product")
class StoredProduct {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private long id;

    private String name = "";

    private long price;

    private long stock;

    @Version
    private long version;

    /** For Hibernate. */
    StoredProduct() {}

    StoredProduct(ProductData data) {
        name = data.name();
        price = data.price();
        stock = data.stock();
        version = 1;
    }

    /** Whether that makes a difference. */
    boolean edit(String newName, long newPrice, long newStock) {
        boolean differs = !name.equals(newName) || price != newPrice || stock != newStock;
        name = newName;
        price = newPrice;
        stock = newStock;
        return differs;
    }

    /** Whether there is that much; if not, nothing is taken. */
    boolean take(long quantity) {
        if (stock < quantity) {
            return false;
        }
        stock -= quantity;
        return true;
    }

    String name() {
        return name;
    }

    long price() {
        return price;
    }

    long stock() {
        return stock;
    }

    long version() {
        return version;
    }

    /** As it is answered. */
    Product toProduct() {
        return new Product(id, name, price, stock, version);
    }
}
