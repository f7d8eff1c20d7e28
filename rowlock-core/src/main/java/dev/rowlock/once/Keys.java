package dev.rowlock.once;

import dev.rowlock.LockTimeoutException;
import dev.rowlock.Row;
import dev.rowlock.Rowlock;
import dev.rowlock.Tx;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** The table of keys. */
final class Keys {
    /** How often a key is looked at that is neither free nor has an answer to see; once is what a lost race takes. */
    private static final int MAX_LOOKS = 4;

    /**
     * Takes the key if it is free or expired, or brings what is kept under it. The unique index decides between requests that come
     * together: the later one waits in here for the end of the earlier one. If that has committed, this statement returns nothing,
     * because it began before; the next one sees the answer. At REPEATABLE READ no statement can, so there it is a 40001.
     */
    private static final String CLAIM = """
            WITH kept AS (
                SELECT fingerprint, status, headers, body
                FROM rowlock_once
                WHERE scope = ? AND key = ? AND expires_at > now()
            ), claimed AS (
                INSERT INTO rowlock_once AS held (scope, key, fingerprint, expires_at)
                SELECT ?, ?, ?, now() + ? * interval '1 millisecond'
                WHERE NOT EXISTS (SELECT FROM kept)
                ON CONFLICT (scope, key) DO UPDATE
                SET fingerprint = excluded.fingerprint, status = NULL, headers = NULL, body = NULL,
                    created_at = excluded.created_at, expires_at = excluded.expires_at
                WHERE held.expires_at <= now()
                RETURNING 1
            )
            SELECT true AS claimed, NULL AS same, NULL AS status, NULL AS headers, NULL AS body
            FROM claimed
            UNION ALL
            SELECT false, fingerprint = ?, status, headers, encode(body, 'hex')
            FROM kept""";

    private static final String FIND = """
            SELECT false AS claimed, fingerprint = ? AS same, status, headers, encode(body, 'hex') AS body
            FROM rowlock_once
            WHERE scope = ? AND key = ? AND expires_at > now() AND status IS NOT NULL""";

    private static final String KEEP = """
            UPDATE rowlock_once
            SET status = ?, headers = ?, body = ?
            WHERE scope = ? AND key = ?""";

    /**
     * Passes over keys that a request is just taking over. The rows of this one statement are held until it ends, which is why there
     * is a limit.
     */
    private static final String CLEAN_UP = """
            WITH expired AS (
                SELECT scope, key
                FROM rowlock_once
                WHERE expires_at <= now()
                ORDER BY expires_at
                LIMIT ?
                FOR UPDATE SKIP LOCKED
            )
            DELETE FROM rowlock_once AS gone
            USING expired
            WHERE gone.scope = expired.scope AND gone.key = expired.key""";

    private Keys() {}

    /** The kept answer, or nothing if the key is now the caller's. */
    static Optional<Answer> claim(Tx tx, OnceKey key, Fingerprint fingerprint, Duration retention, Duration waitLimit) {
        byte[] digest = fingerprint.bytes();
        for (int look = 1; look <= MAX_LOOKS; look++) {
            List<Row> rows;
            try {
                rows = tx.queryWaitingAtMost(
                        waitLimit,
                        CLAIM,
                        key.scope(),
                        key.key(),
                        key.scope(),
                        key.key(),
                        digest,
                        retention.toMillis(),
                        digest);
            } catch (LockTimeoutException e) {
                throw new InFlightException(key, waitLimit, e);
            }
            if (!rows.isEmpty()) {
                return kept(rows.get(0), key);
            }
            // The other request has ended while this one waited for it: look with a newer snapshot.
        }
        throw new IllegalStateException("idempotency key " + key
                + " can neither be taken nor seen; is there a trigger, rule or row security policy on rowlock_once?");
    }

    /** The kept answer, if there is one to be seen; takes nothing and waits for nobody. */
    static Optional<Answer> find(Rowlock rowlock, OnceKey key, Fingerprint fingerprint) {
        List<Row> rows = rowlock.query(FIND, fingerprint.bytes(), key.scope(), key.key());
        return rows.isEmpty() ? Optional.empty() : kept(rows.get(0), key);
    }

    private static Optional<Answer> kept(Row row, OnceKey key) {
        if (row.getBoolean("claimed")) {
            return Optional.empty();
        }
        if (!row.getBoolean("same")) {
            throw new KeyReusedException(key);
        }
        if (row.isNull("status")) {
            throw new IllegalStateException(
                    "idempotency key " + key + " is used again inside the function that is to make its answer");
        }
        Answer answer = Answer.of(row.getInt("status"), HexFormat.of().parseHex(row.getString("body")));
        return Optional.of(answer.withHeaders(Headers.read(row.getString("headers"))));
    }

    /** Keeps the answer under the claimed key, in the same round trip as the COMMIT where there is one. */
    static void keep(Tx tx, OnceKey key, Answer answer) {
        tx.executeAtCommit(
                KEEP, answer.status(), Headers.write(answer.headers()), answer.body(), key.scope(), key.key());
    }

    static int cleanUp(Tx tx, int limit) {
        return tx.execute(CLEAN_UP, limit);
    }
}
