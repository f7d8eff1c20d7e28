package dev.rowlock.samples.shop.plain;

import dev.rowlock.samples.shop.Account;
import dev.rowlock.samples.shop.Accounts;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.stereotype.Component;

/** Moves money. */
@Component
public class Ledger {
    private final Accounts accounts;

    Ledger(Accounts accounts) {
        this.accounts = accounts;
    }

    // guide: begin
    @Retryable(includes = PessimisticLockingFailureException.class, delay = 10)
    public long move(long from, long to, long amount) {
        Account payer = accounts.findLocked(from);
        Account payee = accounts.findLocked(to);
        payee.deposit(amount);
        return payer.withdraw(amount);
    }
    // guide: end
}
