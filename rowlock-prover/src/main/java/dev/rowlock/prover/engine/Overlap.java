package dev.rowlock.prover.engine;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Holds writing statements inside the server, after their snapshot was taken and before their first row is changed, so that two
 * of them overlap: a trigger before each row takes a shared advisory lock that is the statement's alone, and that control holds
 * exclusively until the statement is to go on.
 */
final class Overlap {
    /** Name of the trigger on every table, and of its function. */
    static final String TRIGGER = "rowlock_prove_overlap";

    /** The first half of the locks' keys; the second is the process id of the statement's backend. */
    private static final int LOCKS = 0x726f776c;

    private static final String FUNCTION = """
            CREATE OR REPLACE FUNCTION %1$s.%2$s() RETURNS trigger LANGUAGE plpgsql AS $overlap$
            BEGIN
              PERFORM pg_advisory_lock_shared(%3$d, pg_backend_pid());
              PERFORM pg_advisory_unlock_shared(%3$d, pg_backend_pid());
              RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
            END $overlap$""";

    private final Connection connection;
    private final String schema;
    private final Set<Integer> held = new HashSet<>();

    Overlap(Connection connection, String schema) {
        this.connection = connection;
        this.schema = schema;
    }

    /** Puts the trigger on every table of the schema. */
    void install() throws SQLException {
        run(FUNCTION.formatted(schema, TRIGGER, LOCKS));
        for (String table : tables()) {
            run("CREATE TRIGGER " + TRIGGER + " BEFORE INSERT OR UPDATE OR DELETE ON " + table
                    + " FOR EACH ROW EXECUTE FUNCTION " + schema + "." + TRIGGER + "()");
        }
    }

    private List<String> tables() throws SQLException {
        List<String> tables = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet result =
                        statement.executeQuery("SELECT oid::regclass::text FROM pg_class WHERE relnamespace = '"
                                + schema + "'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition")) {
            while (result.next()) {
                tables.add(result.getString(1));
            }
        }
        return tables;
    }

    /** From now on the next statements of these backends that write a row are held at the first. */
    void hold(Collection<Integer> backends) throws SQLException {
        for (int backend : backends) {
            if (held.add(backend)) {
                run("SELECT pg_advisory_lock(" + LOCKS + ", " + backend + ")");
            }
        }
    }

    /** Lets them go on. */
    void letGo(Collection<Integer> backends) throws SQLException {
        for (int backend : backends) {
            if (held.remove(backend)) {
                run("SELECT pg_advisory_unlock(" + LOCKS + ", " + backend + ")");
            }
        }
    }

    void letAllGo() throws SQLException {
        letGo(Set.copyOf(held));
    }

    private void run(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
