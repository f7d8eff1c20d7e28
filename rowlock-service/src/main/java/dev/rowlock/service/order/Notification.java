package dev.rowlock.service.order;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** That an order was confirmed. Its key is the order's, so a second one cannot be there. */
@Entity
@Table(name = "notification")
class Notification {
    @Id
    @Column(name = "order_id")
    private long orderId;

    @Column(name = "text")
    private String text = "";

    /** For Hibernate. */
    Notification() {}

    Notification(long orderId, String text) {
        this.orderId = orderId;
        this.text = text;
    }
}
