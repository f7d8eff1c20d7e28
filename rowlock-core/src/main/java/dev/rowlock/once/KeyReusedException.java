package dev.rowlock.once;

import dev.rowlock.RowlockException;

/** The key was used for another request: the fingerprints differ. The client must take a new key. HTTP: 422. */
public final class KeyReusedException extends RowlockException {
    private final transient OnceKey key;

    KeyReusedException(OnceKey key) {
        super("idempotency key " + key + " was used for another request; a new request needs a new key", null);
        this.key = key;
    }

    /** The key. */
    public OnceKey key() {
        return key;
    }
}
