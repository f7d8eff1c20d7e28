package dev.rowlock.samples.shop;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import org.jspecify.annotations.Nullable;

/** A customer's money. */
@Entity
public class Account {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private @Nullable Long id;

    private long balance;

    protected Account() {}

    public Account(long balance) {
        this.balance = balance;
    }

    public @Nullable Long getId() {
        return id;
    }

    public long getBalance() {
        return balance;
    }

    /**
     * Takes it, and says what is left.
     *
     * @throws InsufficientFundsException if there is not as much
     */
    public long withdraw(long amount) {
        if (balance < amount) {
            throw new InsufficientFundsException(balance, amount);
        }
        balance -= amount;
        return balance;
    }

    public void deposit(long amount) {
        balance += amount;
    }
}
