package dev.rowlock.watch.waits;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a session waits for.
 *
 * @param kind which of the server's kinds of lock
 * @param mode how the session wants to hold it: for a row {@code FOR UPDATE}, {@code FOR NO KEY UPDATE}, {@code FOR SHARE} or
 *     {@code FOR KEY SHARE} (an UPDATE or DELETE asks for one of the first two), for everything else the mode's name as in
 *     {@code pg_locks}
 * @param relation name of the table or index, with its schema where it is not on the search path; null if the lock is not one of
 *     a relation, or the relation belongs to another database
 * @param ctid where the row is in its table, such as {@code (0,7)}; null if it is no row or cannot be told
 * @param key the row's primary key, column by column in the order of the key; empty if there is none, if this role may not read
 *     the table, or if the row has gone meanwhile
 * @param detail what else the server says: an advisory lock's key, a transaction's id; null if nothing
 */
public record LockedThing(
        Kind kind,
        String mode,
        @Nullable String relation,
        @Nullable String ctid,
        Map<String, String> key,
        @Nullable String detail) {

    /** The kinds of lock, as a person would tell them apart. */
    public enum Kind {
        /** One row of a table. */
        ROW("row"),
        /**
         * The end of a transaction. A row is waited for in this way too; where the row cannot be told, as with an INSERT that
         * meets an uncommitted row of the same unique key, only the transaction is known.
         */
        TRANSACTION("transaction"),
        /** A table, index or other relation as a whole. */
        RELATION("relation"),
        /** A number with a meaning that only the application knows. */
        ADVISORY("advisory lock"),
        /** Snapshot without conflicts, for which a SERIALIZABLE READ ONLY DEFERRABLE transaction waits. */
        SAFE_SNAPSHOT("safe snapshot"),
        /** Anything else, named in {@link LockedThing#detail()}. */
        OTHER("other");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    /** The key keeps the order of its columns. */
    public LockedThing {
        key = Collections.unmodifiableMap(new LinkedHashMap<>(key));
    }

    /** One line for people, such as {@code row id=7 of wallet (FOR UPDATE)}. */
    public String describe() {
        StringBuilder text = new StringBuilder(kind.toString());
        if (!key.isEmpty()) {
            key.forEach((column, value) ->
                    text.append(' ').append(column).append('=').append(value));
        } else if (ctid != null) {
            text.append(' ').append(ctid);
        }
        if (relation != null) {
            text.append(kind == Kind.ROW ? " of " : " ").append(relation);
        }
        if (detail != null) {
            text.append(' ').append(detail);
        }
        return text.append(" (").append(mode).append(')').toString();
    }
}
