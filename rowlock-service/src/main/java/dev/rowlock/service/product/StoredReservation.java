package dev.rowlock.service.product;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.hibernate.annotations.Generated;

/** A reservation as it is stored, at the time that the database says. */
@Entity
@Table(name = "reservation")
class StoredReservation {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private long id;

    @Column(name = "product_id")
    private long productId;

    private long quantity;

    @Generated
    @Column(name = "created_at", insertable = false, updatable = false)
    private Instant createdAt = Instant.EPOCH;

    /** For Hibernate. */
    StoredReservation() {}

    StoredReservation(long productId, long quantity) {
        this.productId = productId;
        this.quantity = quantity;
    }

    /** As it is answered, once it is inserted. */
    Reservation toReservation(long stock) {
        return new Reservation(id, productId, quantity, stock, createdAt);
    }
}
