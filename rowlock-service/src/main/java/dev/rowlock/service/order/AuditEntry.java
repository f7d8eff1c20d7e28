package dev.rowlock.service.order;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** What was taken for which order. Written once, and read by auditors alone. */
@Entity
@Table(name = "audit_entry")
class AuditEntry {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private long id;

    @Column(name = "order_id")
    private long orderId;

    @Column(name = "wallet_id")
    private long walletId;

    @Column(name = "amount")
    private long amount;

    @Column(name = "balance")
    private long balance;

    /** For Hibernate. */
    AuditEntry() {}

    AuditEntry(long orderId, long walletId, long amount, long balance) {
        this.orderId = orderId;
        this.walletId = walletId;
        this.amount = amount;
        this.balance = balance;
    }
}
