package dev.rowlock.samples.shop;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ResponseStatus;

/** There is less in the account than is wanted. */
@ResponseStatus(HttpStatus.CONFLICT)
public class InsufficientFundsException extends RuntimeException {
    public InsufficientFundsException(long balance, long amount) {
        super(amount + " is wanted, " + balance + " is there");
    }
}
