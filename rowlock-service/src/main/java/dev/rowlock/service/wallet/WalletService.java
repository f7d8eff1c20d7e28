package dev.rowlock.service.wallet;

import dev.rowlock.MissingRowException;
import dev.rowlock.Row;
import dev.rowlock.Rowlock;
import dev.rowlock.Rows;
import dev.rowlock.Table;
import dev.rowlock.Tx;
import dev.rowlock.Write;
import dev.rowlock.service.problem.ProblemException;
import dev.rowlock.service.problem.ProblemType;
import dev.rowlock.service.request.Range;
import java.util.List;
import org.springframework.stereotype.Service;

/** What can be done with wallets. A balance is never decided on before it is locked, or by the writing statement itself. */
@Service
final class WalletService {
    private static final Table WALLETS = Table.of("wallet", "id");

    private final Rowlock rowlock;

    WalletService(Rowlock rowlock) {
        this.rowlock = rowlock;
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

    /** One guarded statement: another charge of the same wallet waits for it and is judged on what it left. */
    Wallet charge(long id, long amount) {
        Write write = rowlock.call(tx -> tx.update(WALLETS, id)
                .add("balance", -amount)
                .onlyIf("balance >= ?", amount)
                .apply());
        if (write instanceof Write.Refused refused) {
            throw insufficient(refused.current(), amount);
        }
        if (write instanceof Write.Missing) {
            throw missing(id);
        }
        return Wallet.of(write.orThrow());
    }

    /** Locks both in key order, so that the transfer the other way round waits instead of deadlocking. */
    Transferred transfer(long from, long to, long amount) {
        if (from == to) {
            throw new ProblemException(ProblemType.SAME_WALLET, "Wallet " + from + " cannot pay itself.")
                    .with("wallet", from);
        }
        try {
            return rowlock.withLocks(WALLETS, List.of(from, to), (tx, wallets) -> move(tx, wallets, from, to, amount));
        } catch (MissingRowException e) {
            throw missing((Long) e.key().values().get(0));
        }
    }

    private static Transferred move(Tx tx, Rows wallets, long from, long to, long amount) {
        Row payer = wallets.get(from);
        if (payer.getLong("balance") < amount) {
            throw insufficient(payer, amount);
        }
        Row payee = wallets.get(to);
        long balance = payee.getLong("balance");
        if (balance > Range.MAX - amount) {
            throw new ProblemException(
                            ProblemType.BALANCE_LIMIT,
                            "Wallet " + to + " holds " + balance + "; with " + amount + " more it would pass "
                                    + Range.MAX + ".")
                    .with("id", to)
                    .with("balance", balance)
                    .with("amount", amount);
        }
        Row paid = tx.update(WALLETS, from).add("balance", -amount).apply().orThrow();
        Row received = tx.update(WALLETS, to).add("balance", amount).apply().orThrow();
        return new Transferred(amount, Wallet.of(paid), Wallet.of(received));
    }

    private static ProblemException insufficient(Row wallet, long amount) {
        Wallet current = Wallet.of(wallet);
        return new ProblemException(
                        ProblemType.INSUFFICIENT_FUNDS,
                        "Wallet " + current.id() + " holds " + current.balance() + ", less than " + amount + ".")
                .with("id", current.id())
                .with("balance", current.balance())
                .with("amount", amount);
    }

    private static ProblemException missing(long id) {
        return new ProblemException(ProblemType.WALLET_NOT_FOUND, "There is no wallet " + id + ".").with("wallet", id);
    }
}
