package dev.rowlock.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rowlock.DatabaseTest;
import dev.rowlock.Session;
import dev.rowlock.StaleRowException;
import dev.rowlock.Table;
import dev.rowlock.Threads.Both;
import dev.rowlock.Write;
import org.junit.jupiter.api.Test;

/** Public reports of kind C: an edit made on an old screen overwrites a newer one. */
class StaleEditCasesTest extends DatabaseTest {
    private static final Table DOCS = Table.of("doc", "id").withVersion("version");

    StaleEditCasesTest() {
        super(
                "CREATE TABLE doc (id bigint PRIMARY KEY, title text NOT NULL, version int NOT NULL)",
                "INSERT INTO doc VALUES (1, 'v1', 1)");
    }

    // C11
    @Test
    void versionReadByTheServerInsteadOfTheClientsOverwritesANewerEdit() throws Exception {
        try (Session a = Session.open(database);
                Session b = Session.open(database)) {
            long onTheScreenOfB = b.read("SELECT version FROM doc");
            b.commit();
            a.run("UPDATE doc SET title = 'A', version = 2 WHERE id = 1 AND version = 1");
            a.commit();
            long loaded = b.read("SELECT version FROM doc");
            assertThat(loaded).isNotEqualTo(onTheScreenOfB);
            assertThat(b.run("UPDATE doc SET title = 'B', version = version + 1 WHERE id = 1 AND version = " + loaded))
                    .isEqualTo(1);
            b.commit();
        }
        assertThat(titleAndVersion()).isEqualTo("B 3");
    }

    // C11
    @Test
    void versionOfTheClientIsComparedInTheWrite() {
        long onTheScreenOfB = rowlock.<Long, RuntimeException>call(
                tx -> tx.peek(DOCS, 1).orElseThrow().version());
        assertThat(edit("A", 1).isApplied()).isTrue();

        assertThat(edit("B", onTheScreenOfB)).isInstanceOfSatisfying(Write.Stale.class, stale -> {
            assertThat(stale.expectedVersion()).isEqualTo(1);
            assertThat(stale.current().version()).isEqualTo(2);
            assertThat(stale.current().getString("title")).isEqualTo("A");
        });
        assertThat(titleAndVersion()).isEqualTo("A 2");
    }

    // C12
    @Test
    void versionComparedInASelectLosesAnEdit() throws Exception {
        try (Session a = Session.open(database);
                Session b = Session.open(database)) {
            assertThat(a.read("SELECT version FROM doc")).isEqualTo(1);
            assertThat(b.read("SELECT version FROM doc")).isEqualTo(1);
            a.run("UPDATE doc SET title = 'A', version = version + 1 WHERE id = 1");
            a.commit();
            assertThat(b.run("UPDATE doc SET title = 'B', version = version + 1 WHERE id = 1"))
                    .isEqualTo(1);
            b.commit();
        }
        assertThat(titleAndVersion()).isEqualTo("B 3");
    }

    // C12
    @Test
    void versionComparedInTheUpdateLetsOneOfTwoWin() {
        Both both = threads.secondWaits(database, meet -> save("A", 1, meet), meet -> save("B", 1, meet));

        assertThat(both.first()).isEqualTo("saved");
        assertThat(both.second()).isInstanceOf(StaleRowException.class);
        assertThat(titleAndVersion()).isEqualTo("A 2");
    }

    // C13
    @Test
    void zeroRowsThatNobodyLooksAtAreAnsweredAsSaved() throws Exception {
        try (Session a = Session.open(database);
                Session b = Session.open(database)) {
            a.run("UPDATE doc SET title = 'A', version = 2 WHERE id = 1 AND version = 1");
            Session.Step waits = b.begin("UPDATE doc SET title = 'B', version = 2 WHERE id = 1 AND version = 1");
            a.commit();
            assertThat(waits.result()).isZero(); // the handler commits and answers "saved"
            b.commit();
        }
        assertThat(titleAndVersion()).isEqualTo("A 2");
    }

    // C13
    @Test
    void conflictIsAValueOrAnExceptionButNeverSilence() {
        assertThat(edit("A", 1)).isInstanceOf(Write.Applied.class);
        assertThat(edit("B", 1)).isInstanceOf(Write.Stale.class);
        assertThatExceptionOfType(StaleRowException.class)
                .isThrownBy(() -> save("B", 1, () -> {}))
                .withMessageContaining("row 1 of doc has version 2");
    }

    // C13
    @Test
    void missingVersionDroppedFromTheConditionOverwrites() throws Exception {
        try (Session b = Session.open(database)) {
            database.sql("UPDATE doc SET title = 'A', version = 2 WHERE id = 1");
            assertThat(b.run("UPDATE doc SET title = 'B' WHERE id = 1")).isEqualTo(1); // no version came, so no check
            b.commit();
        }
        assertThat(titleAndVersion()).isEqualTo("B 2");
    }

    // C13
    @Test
    void missingVersionIsRefusedBeforeAnySqlIsSent() {
        Long notSent = null;
        rowlock.run(tx -> assertThatIllegalArgumentException()
                .isThrownBy(() -> tx.update(DOCS, 1).set("title", "B").ifVersion(notSent))
                .withMessageContaining("the version is missing"));

        assertThat(titleAndVersion()).isEqualTo("v1 1");
    }

    // C17
    @Test
    void touchThatWritesAnOldVersionLetsAStaleEditPass() throws Exception {
        try (Session touching = Session.open(database);
                Session editor = Session.open(database)) {
            long old = touching.read("SELECT version FROM doc");
            touching.commit();
            database.sql("UPDATE doc SET title = 'New', version = 2 WHERE version = 1");
            long read = editor.read("SELECT version FROM doc");
            editor.commit();
            database.sql("UPDATE doc SET title = 'Newer', version = 3 WHERE version = 2");
            touching.run("UPDATE doc SET version = " + (old + 1) + " WHERE id = 1");
            touching.commit();
            assertThat(editor.run("UPDATE doc SET title = 'E', version = version + 1 WHERE version = " + read))
                    .isEqualTo(1);
            editor.commit();
        }
        assertThat(titleAndVersion()).isEqualTo("E 3");
    }

    // C17
    @Test
    void versionRaisedByTheDatabaseNeverGoesBack() {
        assertThat(edit("New", 1).isApplied()).isTrue();
        assertThat(edit("Newer", 2).isApplied()).isTrue();

        Write staleTouch = rowlock.call(tx -> tx.update(DOCS, 1).ifVersion(1).apply());
        assertThat(staleTouch).isInstanceOf(Write.Stale.class);
        assertThat(edit("E", 2)).isInstanceOf(Write.Stale.class);
        assertThat(titleAndVersion()).isEqualTo("Newer 3");

        Write touch = rowlock.call(tx -> tx.update(DOCS, 1).apply()); // one that does not care for the version
        assertThat(touch.orThrow().version()).isEqualTo(4);
    }

    private Write edit(String title, long version) {
        return rowlock.call(
                tx -> tx.update(DOCS, 1).set("title", title).ifVersion(version).apply());
    }

    private String save(String title, long version, Runnable meet) {
        return rowlock.call(tx -> {
            must(tx.update(DOCS, 1).set("title", title).ifVersion(version).apply());
            meet.run();
            return "saved";
        });
    }

    private String titleAndVersion() {
        return rowlock.<String, RuntimeException>call(tx -> {
            var doc = tx.peek(DOCS, 1).orElseThrow();
            return doc.getString("title") + " " + doc.version();
        });
    }
}
