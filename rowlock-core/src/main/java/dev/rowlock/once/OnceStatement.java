package dev.rowlock.once;

import dev.rowlock.CommitUnknownException;
import dev.rowlock.DatabaseException;
import dev.rowlock.Row;
import dev.rowlock.Rowlock;
import dev.rowlock.Tx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An effect and its answer in one statement of SQL, so that the key rides along and costs no round trip at all; for
 * {@link Once#run(OnceKey, Fingerprint, OnceStatement, dev.rowlock.TxFunction)}. Immutable.
 *
 * <pre>{@code
 * OnceStatement.of("""
 *         UPDATE wallet
 *         SET balance = balance - ?
 *         WHERE id = ? AND balance >= ?
 *         RETURNING 201 AS status, json_build_object('balance', balance) AS body""", 80, 7, 80)
 * }</pre>
 */
public final class OnceStatement {
    private static final Logger LOG = LoggerFactory.getLogger(OnceStatement.class);

    private static final String EFFECT = """
            WITH effect AS (
            %s
            )""";
    /**
     * The key comes out of the effect and never the other way round: in one statement, a key that is taken first stays taken when the
     * guard then fails. A key that is taken already is a 23505, which undoes the effect. So is an answer that cannot be kept, by a
     * division by zero.
     */
    private static final String THEN_KEEP = """
            , answer AS (
                SELECT status::integer AS status, convert_to(body::text, 'UTF8') AS body
                FROM effect
            ), kept AS (
                INSERT INTO rowlock_once (scope, key, fingerprint, status, headers, body, expires_at)
                SELECT ?, ?, ?, status, ?, body, now() + ? * interval '1 millisecond'
                FROM answer
                WHERE 1 / (status IS NOT NULL AND coalesce(octet_length(body) <= ?, false))::integer = 1
                RETURNING status, body
            )
            SELECT status, convert_from(body, 'UTF8') AS body
            FROM kept""";

    private static final String THEN_ANSWER = """

            SELECT status::integer AS status, body::text AS body
            FROM effect""";

    private final String sql;
    private final List<@Nullable Object> values;
    /** With the headers of the answer to come. */
    private final Answer headers;

    private OnceStatement(String sql, List<@Nullable Object> values, Answer headers) {
        this.sql = sql;
        this.values = values;
        this.headers = headers;
    }

    /**
     * With no headers.
     *
     * @param sql one statement of the program, never of a user, that begins with SELECT, INSERT, UPDATE or DELETE; {@code ?} for each
     *     value. It returns no row if it has done nothing, else one with the columns {@code status} (a number) and {@code body}
     *     (text, or what can be cast to it)
     * @param values as in {@link Tx#query}
     */
    public static OnceStatement of(String sql, @Nullable Object... values) {
        List<@Nullable Object> copy = new ArrayList<>();
        Collections.addAll(copy, values);
        return new OnceStatement(sql, copy, Answer.of(""));
    }

    /** The same, whose answer has one header more; see {@link Answer#withHeader}. */
    public OnceStatement withHeader(String name, String value) {
        return new OnceStatement(sql, values, headers.withHeader(name, value));
    }

    /**
     * The answer that was made and kept, or else the one that is kept already; nothing if there is neither, for whatever reason.
     *
     * @throws KeyReusedException if the key was used for another request
     */
    Optional<OnceResult> runAlone(
            Rowlock rowlock, OnceKey key, Fingerprint fingerprint, Duration retention, int maxAnswerBytes) {
        List<@Nullable Object> all = new ArrayList<>(values);
        Collections.addAll(
                all,
                key.scope(),
                key.key(),
                fingerprint.bytes(),
                Headers.write(headers.headers()),
                retention.toMillis(),
                maxAnswerBytes - headers.size());
        try {
            return answer(rowlock.query(EFFECT.formatted(sql) + THEN_KEEP, all.toArray()))
                    .map(made -> new OnceResult(made, false));
        } catch (DatabaseException | CommitUnknownException e) {
            // The key is taken, or the statement is at fault, or may have been done. Where it is no answer that is kept
            // already, it will be seen with the key in hand.
            LOG.debug("idempotency key {}: one statement did not do", key, e);
            return Keys.find(rowlock, key, fingerprint).map(kept -> new OnceResult(kept, true));
        }
    }

    /** The answer that was made, with the key in hand; nothing if the statement had no effect. */
    Optional<Answer> runIn(Tx tx) {
        return answer(tx.query(EFFECT.formatted(sql) + THEN_ANSWER, values.toArray()));
    }

    private Optional<Answer> answer(List<Row> rows) {
        if (rows.isEmpty()) {
            return Optional.empty();
        }
        Row row = rows.get(0);
        if (rows.size() > 1 || row.isNull("status") || row.isNull("body")) {
            throw new IllegalStateException("the statement must return one row with a status and a body, but returned "
                    + rows.size() + " row(s), the first " + row + ": " + sql);
        }
        Answer answer = Answer.of(row.getInt("status"), row.getString("body"));
        return Optional.of(answer.withHeaders(headers.headers()));
    }
}
