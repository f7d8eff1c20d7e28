package dev.rowlock.prover.engine;

/** Tells whether a schema is still the same one. */
final class SchemaFingerprint {
    private SchemaFingerprint() {}

    /**
     * What would have to be restored too if it changed; of tables and indexes not where their content is, which restoring itself
     * changes.
     */
    private static final String ALL = """
            SELECT coalesce(md5(string_agg(x, E'\\n' ORDER BY x)), '') FROM (
              SELECT ROW('r', oid, relname, relkind, relowner, relacl, relrowsecurity, reloptions, relnatts, reltoastrelid,
                         relpersistence)::text AS x
              FROM pg_class WHERE rel%1$s
              UNION ALL SELECT ROW('a', a.attrelid, a.attnum, a.xmin)::text
              FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid WHERE c.rel%1$s
              UNION ALL SELECT ROW('d', d.oid, d.xmin)::text
              FROM pg_attrdef d JOIN pg_class c ON c.oid = d.adrelid WHERE c.rel%1$s
              UNION ALL SELECT ROW('c', oid, xmin)::text FROM pg_constraint WHERE con%1$s
              UNION ALL SELECT ROW('i', i.indexrelid, i.indisvalid, i.indisunique)::text
              FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.rel%1$s
              UNION ALL SELECT ROW('t', t.oid, t.xmin)::text
              FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE c.rel%1$s
              UNION ALL SELECT ROW('w', w.oid, w.xmin)::text
              FROM pg_rewrite w JOIN pg_class c ON c.oid = w.ev_class WHERE c.rel%1$s
              UNION ALL SELECT ROW('l', l.oid, l.xmin)::text
              FROM pg_policy l JOIN pg_class c ON c.oid = l.polrelid WHERE c.rel%1$s
              UNION ALL SELECT ROW('p', oid, xmin)::text FROM pg_proc WHERE pro%1$s
              UNION ALL SELECT ROW('y', oid, xmin)::text FROM pg_type WHERE typ%1$s
              UNION ALL SELECT ROW('s', s.seqrelid, s.xmin)::text
              FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid WHERE c.rel%1$s
            ) AS whole""";

    /**
     * A query for one text, which is another one after every change of the schema.
     *
     * @param inSchema a condition on a column that goes on as {@code namespace}
     */
    static String query(String inSchema) {
        return ALL.formatted(inSchema);
    }
}
