package dev.rowlock.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.DatabaseTest;
import dev.rowlock.Session;
import dev.rowlock.Table;
import dev.rowlock.Threads.Both;
import dev.rowlock.counter.Changes;
import dev.rowlock.counter.Counter;
import dev.rowlock.counter.RefusedChangeException;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Public reports of kind K, write skew and predicates, whose rule is an amount within bounds once it is written down in a row. */
class CounterCasesTest extends DatabaseTest {
    private static final Table LINES = Table.of("line", "id");

    private Counter owners;
    private Counter slots;
    private Counter totals;

    CounterCasesTest() {
        super(
                "CREATE TABLE org (id bigint PRIMARY KEY, owners int NOT NULL)",
                "CREATE TABLE pol (id bigint PRIMARY KEY, org bigint NOT NULL, role text NOT NULL)",
                "CREATE TABLE usr (id bigint PRIMARY KEY, keys int NOT NULL)",
                "CREATE TABLE api_key (id bigserial PRIMARY KEY, uid bigint NOT NULL)",
                "CREATE TABLE ord (id bigint PRIMARY KEY, total bigint NOT NULL, lim bigint)",
                "CREATE TABLE line (id bigint PRIMARY KEY, ord bigint NOT NULL, qty int NOT NULL, price bigint NOT NULL)",
                "INSERT INTO org VALUES (1, 2)",
                "INSERT INTO pol VALUES (1, 1, 'owner'), (2, 1, 'owner')",
                "INSERT INTO usr VALUES (1, 0)",
                "INSERT INTO ord VALUES (1, 3000, 5000)",
                "INSERT INTO line VALUES (1, 1, 1, 1000), (2, 1, 1, 2000)");
    }

    @BeforeEach
    void declare() {
        owners = Counter.over(rowlock, Table.of("org", "id"), "owners").min(1).build();
        slots = Counter.over(rowlock, Table.of("usr", "id"), "keys").max(1).build();
        totals = Counter.over(rowlock, Table.of("ord", "id"), "total")
                .maxColumn("lim")
                .build();
    }

    // C51
    @Test
    void ownersWhoCountEachOtherBothLeave() throws Exception {
        try (Session a = Session.open(database);
                Session b = Session.open(database)) {
            String count = "SELECT count(*) FROM pol WHERE org = 1 AND role = 'owner'";
            assertThat(a.read(count)).isEqualTo(2);
            assertThat(b.read(count)).isEqualTo(2);
            a.run("DELETE FROM pol WHERE id = 1");
            b.run("DELETE FROM pol WHERE id = 2");
            a.commit();
            b.commit();
        }
        assertThat(database.number("SELECT count(*) FROM pol")).isZero();
    }

    // C51
    @Test
    void lastOwnerStays() {
        Both both = threads.secondWaits(database, meet -> leave(1, meet), meet -> leave(2, meet));

        assertThat(both.first()).isEqualTo("left");
        assertThat(both.second()).isInstanceOf(RefusedChangeException.class);
        assertThat(database.number("SELECT count(*) FROM pol")).isEqualTo(1);
    }

    private String leave(long member, Runnable meet) {
        return rowlock.call(tx -> {
            owners.addIn(tx, 1, -1).orThrow();
            meet.run();
            assertThat(tx.execute("DELETE FROM pol WHERE id = ?", member)).isEqualTo(1);
            return "left";
        });
    }

    // C52
    @Test
    void rowsThatAreNotThereCannotBeLocked() throws Exception {
        try (Session a = Session.open(database);
                Session b = Session.open(database)) {
            String lock = "SELECT id FROM api_key WHERE uid = 1 FOR UPDATE";
            assertThat(a.run(lock)).isZero();
            assertThat(b.run(lock)).isZero();
            a.run("INSERT INTO api_key (uid) VALUES (1)");
            b.run("INSERT INTO api_key (uid) VALUES (1)");
            a.commit();
            b.commit();
        }
        assertThat(database.number("SELECT count(*) FROM api_key"))
                .as("of 1 allowed")
                .isEqualTo(2);
    }

    // C52
    @Test
    void limitThatIsCountedInItsOwnersRowHolds() {
        Both both = threads.secondWaits(database, this::newKey);

        assertThat(both.first()).isEqualTo("made");
        assertThat(both.second()).isInstanceOf(RefusedChangeException.class);
        assertThat(database.number("SELECT count(*) FROM api_key")).isEqualTo(1);
    }

    private String newKey(Runnable meet) {
        return rowlock.call(tx -> {
            slots.addIn(tx, 1, 1).orThrow();
            meet.run();
            assertThat(tx.execute("INSERT INTO api_key (uid) VALUES (1)")).isEqualTo(1);
            return "made";
        });
    }

    // C53
    @Test
    void totalThatIsAddedUpFromLinesIsExceeded() throws Exception {
        try (Session a = Session.open(database);
                Session b = Session.open(database)) {
            String total = "SELECT sum(qty * price) FROM line WHERE ord = 1";
            assertThat(a.read(total)).isEqualTo(3000);
            assertThat(b.read(total)).isEqualTo(3000);
            a.run("UPDATE line SET qty = 3 WHERE id = 1");
            b.run("UPDATE line SET qty = 2 WHERE id = 2");
            a.commit();
            b.commit();
        }
        assertThat(database.number("SELECT sum(qty * price) FROM line"))
                .as("of 5000 allowed")
                .isEqualTo(7000);
    }

    // C53
    @Test
    void totalThatIsKeptInTheOrderHolds() {
        Both both = threads.secondWaits(database, meet -> raise(1, 2, 1000, meet), meet -> raise(2, 1, 2000, meet));

        assertThat(both.first()).isEqualTo("raised");
        assertThat(both.second())
                .isInstanceOf(RefusedChangeException.class)
                .hasToString(
                        "dev.rowlock.counter.RefusedChangeException: row 1 of ord does not allow a change by 2000: total is"
                                + " 5000 and would be 7000, more than 5000");
        assertThat(database.number("SELECT sum(qty * price) FROM line")).isEqualTo(5000);
    }

    private String raise(long line, long more, long price, Runnable meet) {
        return rowlock.call(tx -> {
            totals.addAllIn(tx, Map.of(1, more * price)).orThrow();
            meet.run();
            must(tx.update(LINES, line).add("qty", more).apply());
            return "raised";
        });
    }

    /** The same rule holds for one who changes the total without a unit of work of their own. */
    @Test
    void refusalNamesTheRow() {
        assertThat(totals.addAll(Map.of(1, 2001L)))
                .isInstanceOfSatisfying(
                        Changes.Refused.class,
                        refused -> assertThat(refused.rows().get(0).value()).isEqualTo(3000));
    }
}
