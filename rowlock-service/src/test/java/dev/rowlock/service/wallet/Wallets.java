package dev.rowlock.service.wallet;

import dev.rowlock.Rowlock;
import dev.rowlock.spring.meters.CounterMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

/** Makes the service's own code for wallets, as an instance of the service has it, for proofs. */
public final class Wallets {
    private Wallets() {}

    /** One for each actor: instances share no memory, and requests in one would be combined before they came to the database. */
    public static WalletService over(Rowlock rowlock) {
        return new WalletService(rowlock, new CounterMeters(new SimpleMeterRegistry()));
    }
}
