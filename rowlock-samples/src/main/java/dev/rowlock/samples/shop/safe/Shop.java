package dev.rowlock.samples.shop.safe;

import dev.rowlock.Row;
import dev.rowlock.Rowlock;
import dev.rowlock.Table;
import dev.rowlock.jpa.JpaLocks;
import dev.rowlock.jpa.JpaVersions;
import dev.rowlock.samples.shop.Account;
import dev.rowlock.samples.shop.Accounts;
import dev.rowlock.samples.shop.Order;
import dev.rowlock.samples.shop.Orders;
import dev.rowlock.samples.shop.Payment;
import dev.rowlock.samples.shop.Payments;
import dev.rowlock.samples.shop.Product;
import dev.rowlock.spring.retry.RetryOnConflict;
import java.util.List;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Every method is right whoever else calls one. */
@Service
@SuppressWarnings("NullAway") // withLocks hands out all that it was asked for, or throws
public class Shop {
    private static final Table PRODUCTS = Table.of("product", "id");

    private final Accounts accounts;
    private final Orders orders;
    private final Payments payments;
    private final Rowlock rowlock;
    private final JpaLocks locks;
    private final JpaVersions versions;

    Shop(Accounts accounts, Orders orders, Payments payments, Rowlock rowlock, JpaLocks locks, JpaVersions versions) {
        this.accounts = accounts;
        this.orders = orders;
        this.payments = payments;
        this.rowlock = rowlock;
        this.locks = locks;
        this.versions = versions;
    }

    // guide buy: begin
    @Transactional
    public int buy(long productId, long accountId) {
        Row product = rowlock.update(PRODUCTS, productId)
                .add("stock", -1)
                .onlyIf("stock >= ?", 1)
                .apply()
                .orThrow();
        orders.save(new Order(accountId, productId));
        return product.getInt("stock");
    }
    // guide buy: end

    // guide edit: begin
    @Transactional
    public long edit(long productId, long version, String name, long price) {
        Product product = versions.ifVersion(Product.class, productId, version);
        product.setName(name);
        product.setPrice(price);
        versions.flush();
        return product.getVersion();
    }
    // guide edit: end

    // guide pay: begin
    @Transactional
    public long pay(long accountId, long amount, String reference) {
        Account account = locks.lock(Account.class, accountId);
        account.withdraw(amount);
        payments.save(new Payment(accountId, amount, reference));
        return account.getBalance();
    }
    // guide pay: end

    // guide transfer: begin
    @RetryOnConflict
    @Transactional
    public long transfer(long from, long to, long amount) {
        return locks.withLocks(Account.class, List.of(from, to), (em, accounts) -> {
            accounts.get(to).deposit(amount);
            return accounts.get(from).withdraw(amount);
        });
    }
    // guide transfer: end

    // guide refund: begin
    @RetryOnConflict
    @Transactional
    public long refund(long from, long to, long amount) {
        Account shop = accounts.findLocked(from);
        Account customer = accounts.findLocked(to);
        customer.deposit(amount);
        return shop.withdraw(amount);
    }
    // guide refund: end
}
