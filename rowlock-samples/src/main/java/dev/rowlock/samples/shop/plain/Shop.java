package dev.rowlock.samples.shop.plain;

import dev.rowlock.samples.shop.Account;
import dev.rowlock.samples.shop.Accounts;
import dev.rowlock.samples.shop.Order;
import dev.rowlock.samples.shop.Orders;
import dev.rowlock.samples.shop.Payment;
import dev.rowlock.samples.shop.Payments;
import dev.rowlock.samples.shop.Product;
import dev.rowlock.samples.shop.ProductForm;
import dev.rowlock.samples.shop.Products;
import dev.rowlock.samples.shop.SoldOutException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Every method is right as long as nobody else calls one. */
@Service
public class Shop {
    private final Products products;
    private final Accounts accounts;
    private final Orders orders;
    private final Payments payments;
    private final Ledger ledger;

    Shop(Products products, Accounts accounts, Orders orders, Payments payments, Ledger ledger) {
        this.products = products;
        this.accounts = accounts;
        this.orders = orders;
        this.payments = payments;
        this.ledger = ledger;
    }

    // guide buy: begin
    @Transactional
    public int buy(long productId, long accountId) {
        Product product = products.findById(productId).orElseThrow();
        if (product.getStock() < 1) {
            throw new SoldOutException(productId);
        }
        product.setStock(product.getStock() - 1);
        orders.save(new Order(accountId, productId));
        return product.getStock();
    }
    // guide buy: end

    // guide edit: begin
    @Transactional
    public void edit(long productId, ProductForm form) {
        Product product = products.findById(productId).orElseThrow();
        product.setVersion(form.version()); // so that Hibernate refuses a form that is stale
        product.setName(form.name());
        product.setPrice(form.price());
    }
    // guide edit: end

    // guide pay: begin
    @Transactional
    public long pay(long accountId, long amount, String reference) {
        if (payments.existsByReference(reference)) { // the client has sent it before
            return accounts.findById(accountId).orElseThrow().getBalance();
        }
        Account account = accounts.findLocked(accountId);
        account.withdraw(amount);
        payments.save(new Payment(accountId, amount, reference));
        return account.getBalance();
    }
    // guide pay: end

    // guide transfer: begin
    @Transactional
    public long transfer(long from, long to, long amount) {
        Account payer = accounts.findLocked(from);
        Account payee = accounts.findLocked(to);
        payee.deposit(amount);
        return payer.withdraw(amount);
    }
    // guide transfer: end

    // guide retried: begin
    @Transactional
    public long transferAgainIfItFails(long from, long to, long amount) {
        return ledger.move(from, to, amount);
    }
    // guide retried: end
}
