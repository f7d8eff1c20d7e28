package dev.rowlock.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.rowlock.DatabaseTest;
import dev.rowlock.Key;
import dev.rowlock.RowlockSchema;
import dev.rowlock.Table;
import dev.rowlock.TooManyRowsException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows that are no tree: found, named, never waited for, repaired on demand. */
class TreeCheckTest extends DatabaseTest {
    private static final Table NODES = Table.of("node", "id");

    TreeCheckTest() {
        super(
                "CREATE TABLE node (id bigint PRIMARY KEY, parent_id bigint, type text NOT NULL)",
                "INSERT INTO node VALUES (1, NULL, 'dir'), (2, 1, 'dir'), (3, 2, 'file')");
    }

    @BeforeEach
    void install() {
        RowlockSchema.install(rowlock);
    }

    private Tree.Builder tree(Protocol protocol) {
        return Tree.over(rowlock, NODES)
                .typeColumn("type")
                .allowRoots("dir")
                .allow("dir", "dir")
                .allow("file", "dir")
                .singleRoot()
                .maxDepth(4)
                .protocol(protocol);
    }

    private static List<Key> keys(long... ids) {
        return java.util.Arrays.stream(ids).mapToObj(Key::of).toList();
    }

    @Test
    void soundTreeHasNoFindings() {
        assertThat(tree(Protocol.TREE_LOCK).build().check()).isEqualTo(new TreeReport(3, 3, List.of(), true));
    }

    @Test
    void everyFlawIsFoundAndNamed() {
        database.sql(
                "INSERT INTO node VALUES (10, 12, 'dir'), (11, 10, 'dir'), (12, 11, 'dir'), (13, 12, 'file')", // a ring
                "INSERT INTO node VALUES (20, 99, 'dir'), (21, 20, 'dir')", // an orphan
                "INSERT INTO node VALUES (30, 3, 'file')", // a file in a file
                "INSERT INTO node VALUES (40, 2, 'dir'), (41, 40, 'dir'), (42, 41, 'dir')", // too deep
                "INSERT INTO node VALUES (50, NULL, 'file'), (60, 60, 'dir')"); // a file as a root; its own parent

        TreeReport report = tree(Protocol.TREE_LOCK).build().check();

        assertThat(report.nodes()).isEqualTo(15);
        assertThat(report.deepest()).isEqualTo(5);
        assertThat(report.complete()).isTrue();
        assertThat(report.isSound()).isFalse();
        assertThat(report.findings())
                .extracting(TreeReport.Finding::flaw, TreeReport.Finding::nodes)
                .containsExactlyInAnyOrder(
                        org.assertj.core.groups.Tuple.tuple(Flaw.CYCLE, keys(10, 12, 11)),
                        org.assertj.core.groups.Tuple.tuple(Flaw.CYCLE, keys(60)),
                        org.assertj.core.groups.Tuple.tuple(Flaw.ORPHAN, keys(20)),
                        org.assertj.core.groups.Tuple.tuple(Flaw.TYPE, keys(30)),
                        org.assertj.core.groups.Tuple.tuple(Flaw.TYPE, keys(50)),
                        org.assertj.core.groups.Tuple.tuple(Flaw.TOO_DEEP, keys(42)),
                        org.assertj.core.groups.Tuple.tuple(Flaw.SEVERAL_ROOTS, keys(1, 50)));
        assertThat(report.findings())
                .extracting(TreeReport.Finding::message)
                .contains(
                        "nodes of node stand under each other in a ring, each under the next: 10 > 12 > 11 > 10",
                        "node 42 of node: it is at depth 5, the limit is 4",
                        "node 20 of node: its parent 99 is not there",
                        "node 30 of node: it is of type file and stands under 3, which is of type file");
    }

    @ParameterizedTest
    @EnumSource
    void ringIsAnErrorThatNamesItAndNoHang(Protocol protocol) {
        database.sql("INSERT INTO node VALUES (10, 12, 'dir'), (11, 10, 'dir'), (12, 11, 'dir'), (13, 12, 'file')");
        Tree tree = tree(protocol).build();

        BrokenTreeException up = catchThrowableOfType(BrokenTreeException.class, () -> tree.ancestors(13));
        BrokenTreeException add =
                catchThrowableOfType(BrokenTreeException.class, () -> tree.add(11, row -> row.set("id", 14)));
        BrokenTreeException move = catchThrowableOfType(BrokenTreeException.class, () -> tree.move(3, 13));
        BrokenTreeException down = catchThrowableOfType(BrokenTreeException.class, () -> tree.descendants(12));

        assertThat(up.flaw()).isEqualTo(Flaw.CYCLE);
        assertThat(up.nodes()).isEqualTo(keys(12, 11, 10));
        assertThat(add.nodes()).isEqualTo(keys(11, 10, 12));
        assertThat(move.nodes()).isEqualTo(keys(12, 11, 10));
        assertThat(down.flaw()).isEqualTo(Flaw.CYCLE);
    }

    @Test
    void ringLongerThanTheLimitIsNamedAll() {
        database.sql(
                "INSERT INTO node SELECT i, CASE i WHEN 10 THEN 29 ELSE i - 1 END, 'dir' FROM generate_series(10, 29) AS i");

        BrokenTreeException up = catchThrowableOfType(
                BrokenTreeException.class,
                () -> tree(Protocol.TREE_LOCK).build().ancestors(15));

        assertThat(up.flaw()).isEqualTo(Flaw.CYCLE);
        assertThat(up.nodes()).hasSize(20);
        assertThatExceptionOfType(BrokenTreeException.class)
                .isThrownBy(() -> tree(Protocol.TREE_LOCK).build().remove(15, Children.REMOVE));
    }

    @Test
    void orphanIsAnErrorThatNamesIt() {
        database.sql("INSERT INTO node VALUES (20, 99, 'dir'), (21, 20, 'dir')");

        BrokenTreeException up = catchThrowableOfType(
                BrokenTreeException.class,
                () -> tree(Protocol.TREE_LOCK).build().depth(21));

        assertThat(up.flaw()).isEqualTo(Flaw.ORPHAN);
        assertThat(up.nodes()).isEqualTo(keys(20));
    }

    @ParameterizedTest
    @EnumSource
    void repairSaysWhatItWouldDoAndDoesItOnDemand(Protocol protocol) {
        database.sql(
                "INSERT INTO node VALUES (10, 12, 'dir'), (11, 10, 'dir'), (12, 11, 'dir')",
                "INSERT INTO node VALUES (20, 99, 'dir'), (21, 20, 'dir')");
        Tree tree = tree(protocol).build();

        TreeRepair repair = tree.repair(1);

        assertThat(repair.steps())
                .containsExactly(
                        new TreeRepair.Step(Key.of(10), Key.of(12), Optional.of(Key.of(1)), "opens a ring of 3"),
                        new TreeRepair.Step(
                                Key.of(20), Key.of(99), Optional.of(Key.of(1)), "its parent 99 is not there"));
        assertThat(tree.check().isSound()).isFalse();
        repair.apply();
        assertThat(tree.check().isSound()).isTrue();
        assertThat(database.number("SELECT parent_id FROM node WHERE id = 12")).isEqualTo(11);
    }

    @Test
    void repairThatWouldBreakARuleDoesNothing() {
        database.sql("INSERT INTO node VALUES (20, 99, 'dir')");
        Tree tree = tree(Protocol.TREE_LOCK).build();

        assertThatExceptionOfType(TreeRuleException.class)
                .isThrownBy(() -> tree.repair().apply())
                .withMessageContaining("second root");
        assertThat(database.number("SELECT parent_id FROM node WHERE id = 20")).isEqualTo(99);
    }

    @Test
    void repairOfWhatHasChangedSinceIsPlannedAnew() {
        database.sql("INSERT INTO node VALUES (20, 99, 'dir')");
        TreeRepair repair = tree(Protocol.TREE_LOCK).build().repair(1);
        database.sql("UPDATE node SET parent_id = 2 WHERE id = 20");

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(repair::apply)
                .withMessageContaining("plan anew");
    }

    @Test
    void whatOnlyAPersonCanDecideIsLeft() {
        database.sql("INSERT INTO node VALUES (30, 3, 'file')");

        TreeRepair repair = tree(Protocol.TREE_LOCK).build().repair(1);

        assertThat(repair.steps()).isEmpty();
        assertThat(repair.left()).extracting(TreeReport.Finding::flaw).containsExactly(Flaw.TYPE);
    }

    @ParameterizedTest
    @EnumSource
    void whatIsMoreThanTheLimitIsRefused(Protocol protocol) {
        Tree tree = tree(protocol).maxRows(1).build();

        assertThatExceptionOfType(TooManyRowsException.class).isThrownBy(() -> tree.descendants(1));
        assertThatExceptionOfType(TooManyRowsException.class)
                .isThrownBy(() -> tree.remove(1, Children.REMOVE))
                .withMessageContaining("maxRows");
        assertThat(tree.descendants(2)).hasSize(1);
    }
}
