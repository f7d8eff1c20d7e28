package dev.rowlock.samples.shop;

/** There is none left. */
public class SoldOutException extends RuntimeException {
    public SoldOutException(long productId) {
        super("product " + productId + " is sold out");
    }
}
