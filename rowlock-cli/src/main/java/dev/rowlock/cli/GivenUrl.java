package dev.rowlock.cli;

import org.postgresql.ds.PGSimpleDataSource;

/** The {@code --url} of a proof: with user and password in it, and with the schema if another one than the usual is wanted. */
final class GivenUrl {
    private static final int PATIENCE_SECONDS = 10;
    /** A name that means the same with and without quotes, and that is no schema of the system. */
    private static final String SCHEMA_NAME = "(?!pg_)[a-z_][a-z0-9_]{0,62}";

    private GivenUrl() {}

    /** What connects there; its current schema is the one for the proof. */
    static PGSimpleDataSource dataSource(String url) {
        RemoteDatabase.requirePostgresUrl(url);
        PGSimpleDataSource source = new PGSimpleDataSource();
        try {
            source.setURL(url);
        } catch (IllegalArgumentException e) {
            throw RemoteDatabase.notAnUrl("--url " + url);
        }
        if (source.getLoginTimeout() == 0) {
            source.setLoginTimeout(PATIENCE_SECONDS);
        }
        String schema = source.getCurrentSchema();
        if (schema == null) {
            source.setCurrentSchema(ProveServer.SCHEMA);
        } else if (!schema.matches(SCHEMA_NAME)) {
            throw new Refusal("--url: currentSchema is '" + schema + "'; it must be one name of lower-case letters,"
                    + " digits and underscores that does not begin with pg_");
        }
        return source;
    }
}
