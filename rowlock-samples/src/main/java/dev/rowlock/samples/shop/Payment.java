package dev.rowlock.samples.shop;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import org.jspecify.annotations.Nullable;

/** What an account has been charged, and for what. */
@Entity
public class Payment {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private @Nullable Long id;

    private long accountId;
    private long amount;
    private String reference = "";

    protected Payment() {}

    public Payment(long accountId, long amount, String reference) {
        this.accountId = accountId;
        this.amount = amount;
        this.reference = reference;
    }

    public @Nullable Long getId() {
        return id;
    }

    public long getAccountId() {
        return accountId;
    }

    public long getAmount() {
        return amount;
    }

    public String getReference() {
        return reference;
    }
}
