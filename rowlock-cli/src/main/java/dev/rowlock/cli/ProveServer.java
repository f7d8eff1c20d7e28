package dev.rowlock.cli;

import java.io.Closeable;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;

/** A PostgreSQL for proofs, and the schema in it that scenarios may drop and make as they like. */
interface ProveServer extends Closeable {
    /** The schema, unless the user names another one. */
    String SCHEMA = "rowlock_prove";

    /** A server of our own that is thrown away. */
    static ProveServer start() throws IOException {
        return EmbeddedServer.start();
    }

    /** See {@link dev.rowlock.prover.engine.ScenarioRace.Database#connect}. */
    Connection connect(String schema) throws SQLException;

    /** The schema that belongs to the proofs until this is closed. */
    default String schema() {
        return SCHEMA;
    }

    /** Such as {@code PostgreSQL 18.4}. */
    String version() throws SQLException;
}
