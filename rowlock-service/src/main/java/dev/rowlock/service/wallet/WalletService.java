package dev.rowlock.service.wallet;

import dev.rowlock.Key;
import dev.rowlock.Rowlock;
import dev.rowlock.Table;
import dev.rowlock.Tx;
import dev.rowlock.counter.Change;
import dev.rowlock.counter.Changes;
import dev.rowlock.counter.Counter;
import dev.rowlock.service.problem.ProblemException;
import dev.rowlock.service.problem.ProblemType;
import dev.rowlock.service.request.Range;
import dev.rowlock.spring.meters.CounterMeters;
import org.springframework.stereotype.Service;

/**
 * What can be done with wallets. A balance is changed by its counter alone, which decides under the row's lock, for one request or for
 * all that have come to the row meanwhile.
 */
@Service
public final class WalletService {
    private static final Table WALLETS = Table.of("wallet", "id");

    private final Rowlock rowlock;
    private final Counter balances;

    WalletService(Rowlock rowlock, CounterMeters meters) {
        this.rowlock = rowlock;
        this.balances = meters.count(
                "balance",
                Counter.over(rowlock, WALLETS, "balance").min(0).max(Range.MAX).build());
    }

    Wallet create(long balance) {
        return Wallet.of(
                rowlock.call(tx -> tx.insert(WALLETS).set("balance", balance).apply()));
    }

    Wallet get(long id) {
        return rowlock.readOnly()
                .call(tx -> tx.peek(WALLETS, id))
                .map(Wallet::of)
                .orElseThrow(() -> missing(id));
    }

    Wallet charge(long id, long amount) {
        return new Wallet(id, charged(balances.add(id, -amount), amount));
    }

    /**
     * Takes the amount as part of something larger, if the wallet holds that much. Holds the wallet to the end of the transaction.
     *
     * @return what the wallet holds now
     * @throws ProblemException 404 or 409 that names the wallet; the transaction must be rolled back then
     */
    public long pay(Tx tx, long id, long amount) {
        if (amount == 0) {
            return tx.lockIfPresent(WALLETS, id).orElseThrow(() -> missing(id)).getLong("balance");
        }
        return charged(balances.addIn(tx, id, -amount), amount);
    }

    private static long charged(Change change, long amount) {
        if (change instanceof Change.Applied applied) {
            return applied.value();
        }
        if (change instanceof Change.Refused refused) {
            throw insufficient(refused, amount);
        }
        throw missing(id(change.key()));
    }

    Transferred transfer(long from, long to, long amount) {
        if (from == to) {
            throw new ProblemException(ProblemType.SAME_WALLET, "Wallet " + from + " cannot pay itself.")
                    .with("wallet", from);
        }
        Changes changes = balances.transfer(from, to, amount);
        if (changes instanceof Changes.Applied applied) {
            return new Transferred(amount, new Wallet(from, applied.value(from)), new Wallet(to, applied.value(to)));
        }
        if (changes instanceof Changes.Missing missing) {
            throw missing(id(missing.rows().get(0).key()));
        }
        Change.Refused refused = ((Changes.Refused) changes).rows().get(0);
        throw refused.delta() < 0 ? insufficient(refused, amount) : full(refused, amount);
    }

    private static long id(Key key) {
        return (Long) key.values().get(0);
    }

    private static ProblemException insufficient(Change.Refused wallet, long amount) {
        return new ProblemException(
                        ProblemType.INSUFFICIENT_FUNDS,
                        "Wallet " + wallet.key() + " holds " + wallet.value() + ", less than " + amount + ".")
                .with("id", id(wallet.key()))
                .with("balance", wallet.value())
                .with("amount", amount);
    }

    private static ProblemException full(Change.Refused wallet, long amount) {
        return new ProblemException(
                        ProblemType.BALANCE_LIMIT,
                        "Wallet " + wallet.key() + " holds " + wallet.value() + "; with " + amount
                                + " more it would pass " + Range.MAX + ".")
                .with("id", id(wallet.key()))
                .with("balance", wallet.value())
                .with("amount", amount);
    }

    private static ProblemException missing(long id) {
        return new ProblemException(ProblemType.WALLET_NOT_FOUND, "There is no wallet " + id + ".").with("wallet", id);
    }
}
