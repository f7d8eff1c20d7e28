package dev.rowlock;

/** Whether the database itself keeps a table's declared key unique. */
final class UniqueKey {
    private static final String HAS_INDEX = """
            SELECT EXISTS (
                SELECT FROM pg_index AS i
                WHERE i.indrelid = to_regclass(?)
                  AND i.indisunique
                  AND i.indisvalid
                  AND i.indimmediate
                  AND i.indpred IS NULL
                  AND i.indexprs IS NULL
                  AND (SELECT array_agg(a.attname::text)
                       FROM unnest(i.indkey[0:i.indnkeyatts - 1]) AS k
                       JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k) <@ ?) AS "unique"
            """;

    private UniqueKey() {}

    static TxFunction<Boolean, RuntimeException> of(Table table) {
        return tx -> tx.query(HAS_INDEX, table.sqlName(), table.key().toArray(String[]::new))
                .get(0)
                .getBoolean("unique");
    }
}
