package dev.rowlock.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.DatabaseTest;
import dev.rowlock.Key;
import dev.rowlock.Session;
import dev.rowlock.StaleRowException;
import dev.rowlock.Table;
import dev.rowlock.Threads.Both;
import dev.rowlock.Tx;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** Public reports of kind C where the edits touch different parts of one whole. */
class PartialEditCasesTest extends DatabaseTest {
    private static final Table CLIENTS = Table.of("client", "id").withVersion("version");
    private static final Table ATTRIBUTES = Table.of("client_attr", "client_id", "name");
    private static final Table PAIRS = Table.of("pair", "id");

    PartialEditCasesTest() {
        super(
                "CREATE TABLE client (id bigint PRIMARY KEY, version int NOT NULL)",
                """
                CREATE TABLE client_attr (
                    client_id bigint REFERENCES client,
                    name text,
                    value int NOT NULL,
                    PRIMARY KEY (client_id, name))""",
                "CREATE TABLE pair (id bigint PRIMARY KEY, a int NOT NULL, b int NOT NULL)",
                "INSERT INTO client VALUES (1, 1)",
                "INSERT INTO client_attr VALUES (1, 'a', 0), (1, 'b', 0)",
                "INSERT INTO pair VALUES (1, 0, 0)");
    }

    // C15
    @Test
    void childRowsChangedAloneBreakTheRuleOfTheirParent() throws Exception {
        try (Session a = Session.open(database);
                Session b = Session.open(database)) {
            assertThat(a.read("SELECT sum(value) FROM client_attr")).isZero();
            assertThat(b.read("SELECT sum(value) FROM client_attr")).isZero();
            a.run("UPDATE client_attr SET value = 1 WHERE client_id = 1 AND name = 'a'");
            b.run("UPDATE client_attr SET value = 1 WHERE client_id = 1 AND name = 'b'");
            a.commit();
            b.commit();
        }
        assertThat(database.number("SELECT sum(value) FROM client_attr")).isEqualTo(2);
        assertThat(database.number("SELECT version FROM client")).isEqualTo(1);
    }

    // C15
    @Test
    void versionOfTheParentRaisedFirstLetsOneChildChangePass() {
        Both both = threads.secondWaits(database, meet -> setIfNoneIs("a", meet), meet -> setIfNoneIs("b", meet));

        assertThat(both.first()).isEqualTo("set");
        assertThat(both.second()).isInstanceOf(StaleRowException.class);
        assertThat(database.number("SELECT sum(value) FROM client_attr")).isEqualTo(1);
        assertThat(database.number("SELECT version FROM client")).isEqualTo(2);
    }

    // C16
    @Test
    void saveOfTheWholeRowUndoesTheOtherPatch() throws Exception {
        try (Session a = Session.open(database);
                Session b = Session.open(database)) {
            long readByA = a.read("SELECT b FROM pair");
            long readByB = b.read("SELECT a FROM pair");
            a.run("UPDATE pair SET a = 1, b = " + readByA);
            Session.Step waits = b.begin("UPDATE pair SET b = 1, a = " + readByB);
            a.commit();
            assertThat(waits.result()).isEqualTo(1);
            b.commit();
        }
        assertThat(database.number("SELECT a FROM pair")).isZero();
        assertThat(database.number("SELECT b FROM pair")).isEqualTo(1);
    }

    // C16
    @Test
    void patchWritesNamedColumnsOnly() {
        Both both = threads.secondWaits(database, meet -> patch("a", meet), meet -> patch("b", meet));

        assertThat(both).isEqualTo(new Both(1, 1));
        assertThat(database.number("SELECT a FROM pair")).isEqualTo(1);
        assertThat(database.number("SELECT b FROM pair")).isEqualTo(1);
    }

    /** Both have read version 1 of the client and its attributes. */
    private String setIfNoneIs(String name, Runnable meet) throws SQLException {
        return rowlock.call(tx -> {
            must(tx.update(CLIENTS, 1).ifVersion(1).apply());
            meet.run();
            assertThat(sum(tx)).isEqualTo("0");
            must(tx.update(ATTRIBUTES, Key.of(1, name)).set("value", 1).apply());
            return "set";
        });
    }

    private static String sum(Tx tx) throws SQLException {
        return text(tx, "SELECT sum(value) FROM client_attr");
    }

    private int patch(String column, Runnable meet) {
        return rowlock.call(tx -> {
            int now = tx.update(PAIRS, 1).set(column, 1).apply().orThrow().getInt(column);
            meet.run();
            return now;
        });
    }
}
