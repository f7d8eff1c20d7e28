package dev.rowlock.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.DatabaseTest;
import dev.rowlock.LockTimeoutException;
import dev.rowlock.Rowlock;
import dev.rowlock.RowlockSchema;
import dev.rowlock.Session;
import dev.rowlock.Table;
import dev.rowlock.Threads.Both;
import dev.rowlock.tree.Tree;
import dev.rowlock.tree.TreeRule;
import dev.rowlock.tree.TreeRuleException;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Public reports of kind D: trees that come apart, or whose writers hang. */
class TreeCasesTest extends DatabaseTest {
    private static final Table ITEMS = Table.of("item", "id");
    private Tree items;

    TreeCasesTest() {
        super(
                "CREATE TABLE nested (id bigint PRIMARY KEY, parent_id bigint, lft int NOT NULL, rgt int NOT NULL)",
                "CREATE TABLE page (id bigserial PRIMARY KEY, path text NOT NULL UNIQUE)",
                "CREATE TABLE item (id text PRIMARY KEY, parent_id text, touched int NOT NULL DEFAULT 0)",
                "INSERT INTO nested VALUES (1, NULL, 0, 1)",
                "INSERT INTO page (path) VALUES ('0001'), ('00010001')",
                "INSERT INTO item VALUES ('A', NULL), ('B', NULL)");
    }

    @BeforeEach
    void tree() {
        RowlockSchema.install(rowlock);
        items = Tree.over(rowlock, ITEMS).build();
    }

    // C18
    @Test
    void nestedSetsOfTwoInsertsOverlap() throws SQLException {
        try (Session a = Session.open(database);
                Session b = Session.open(database)) {
            a.run("INSERT INTO nested SELECT 2, NULL, max(rgt) + 1, max(rgt) + 2 FROM nested WHERE parent_id IS NULL");
            b.run("INSERT INTO nested SELECT 3, NULL, max(rgt) + 1, max(rgt) + 2 FROM nested WHERE parent_id IS NULL");
            a.commit();
            b.commit();
        }
        assertThat(database.number("SELECT count(DISTINCT lft) FROM nested")).isEqualTo(2);
    }

    // C18: there are no numbers to compute; the second waits, and both are there
    @Test
    void twoRootsAddedAtOnceAreTwo() {
        threads.secondWaits(database, meet -> add(null, "C", meet), meet -> add(null, "D", meet));

        assertThat(items.children(null)).hasSize(4);
        assertThat(items.check().isSound()).isTrue();
    }

    // C19
    @Test
    void pathComputedInTheApplicationIsTakenTwice() throws Exception {
        String insert = "INSERT INTO page (path) VALUES ('00010002')";
        try (Session a = Session.open(database);
                Session b = Session.open(database)) {
            a.run(insert);
            Session.Step waits = b.begin(insert);
            a.commit();

            assertThat(Session.endings(waits)).containsExactly("23505");
        }
    }

    // C19
    @Test
    void twoChildrenAddedAtOnceAreBothThere() {
        threads.secondWaits(database, meet -> add("A", "A1", meet), meet -> add("A", "A2", meet));

        assertThat(items.children("A")).hasSize(2);
    }

    // C20
    @Test
    void oppositeMovesThatLookAtTheirSnapshotsMakeARing() throws SQLException {
        try (Session a = Session.open(database);
                Session b = Session.open(database)) {
            a.run(
                    "UPDATE item SET parent_id = 'B' WHERE id = 'A' AND EXISTS (SELECT FROM item WHERE id = 'B' AND parent_id IS NULL)");
            b.run(
                    "UPDATE item SET parent_id = 'A' WHERE id = 'B' AND EXISTS (SELECT FROM item WHERE id = 'A' AND parent_id IS NULL)");
            a.commit();
            b.commit();
        }
        assertThat(items.check().findings()).hasSize(1);
    }

    // C20
    @Test
    void secondOfTwoOppositeMovesIsRefused() {
        Both both = threads.secondWaits(database, meet -> move("A", "B", meet), meet -> move("B", "A", meet));

        assertThat(both.first()).isEqualTo("B");
        assertThat(both.second())
                .isInstanceOfSatisfying(
                        TreeRuleException.class,
                        refused -> assertThat(refused.rule()).isEqualTo(TreeRule.OWN_DESCENDANT));
        assertThat(items.check().isSound()).isTrue();
    }

    // C22: the one holds a row and waits for the tree, the other holds the tree and waits for the row; the server sees
    // both
    @Test
    void rowLockedBeforeTheTreeIsADeadlockThatIsSeenAndRunAgain() {
        Both both = threads.secondWaits(
                database,
                meet -> rowlock.call(tx -> {
                    int touched = tx.execute("UPDATE item SET touched = touched + 1 WHERE id = 'A'");
                    meet.run();
                    return items.move("B", "A").getString("parent_id") + touched;
                }),
                meet -> move(
                        "A",
                        null,
                        () -> must(rowlock.update(ITEMS, "A").set("touched", 9).apply())));

        assertThat(both).isEqualTo(new Both("A1", "moved"));
        assertThat(database.deadlocks()).isEqualTo(1);
    }

    // C22
    @Test
    void whoeverHoldsTheTreeForLongIsNotWaitedForForEver() {
        Rowlock impatient = Rowlock.builder(database.pool())
                .lockTimeout(Duration.ofMillis(100))
                .build();
        Both both = threads.secondPasses(
                meet -> move("A", "B", meet),
                meet -> Tree.over(impatient, ITEMS).build().move("B", null));

        assertThat(both.first()).isEqualTo("B");
        assertThat(both.second()).isInstanceOf(LockTimeoutException.class);
    }

    private Object add(String parent, String id, Runnable meet) {
        return rowlock.call(tx -> {
            items.add(parent, row -> row.set("id", id));
            meet.run();
            return id;
        });
    }

    private Object move(String node, String parent, Runnable meet) {
        return rowlock.call(tx -> {
            String under = items.move(node, parent).get("parent_id", String.class);
            meet.run();
            return under == null ? "moved" : under;
        });
    }
}
