package dev.rowlock.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.rowlock.DatabaseTest;
import dev.rowlock.Key;
import dev.rowlock.Row;
import dev.rowlock.RowlockSchema;
import dev.rowlock.Table;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What one caller sees; {@link TreeProofsTest} is about several. */
class TreeTest extends DatabaseTest {
    private static final Table NODES = Table.of("node", "id").withVersion("version");

    TreeTest() {
        super(
                "CREATE TABLE node (id bigint PRIMARY KEY, parent_id bigint, type text NOT NULL DEFAULT 'shop',"
                        + " version bigint NOT NULL DEFAULT 1)",
                "INSERT INTO node VALUES (1, NULL, 'company'), (2, 1, 'region'), (3, 2, 'shop'), (4, 1, 'region'),"
                        + " (5, 4, 'shop'), (6, 5, 'shop')");
    }

    @BeforeEach
    void install() {
        RowlockSchema.install(rowlock);
    }

    private Tree.Builder tree(Protocol protocol) {
        return Tree.over(rowlock, NODES).maxDepth(5).protocol(protocol);
    }

    private Tree typed(Protocol protocol) {
        return tree(protocol)
                .typeColumn("type")
                .allowRoots("company")
                .allow("region", "company", "region")
                .allow("shop", "region", "shop")
                .singleRoot()
                .build();
    }

    private static List<Long> ids(List<Row> rows) {
        return rows.stream().map(row -> row.getLong("id")).toList();
    }

    private long parentOf(long node) {
        return database.number("SELECT coalesce(parent_id, 0) FROM node WHERE id = " + node);
    }

    @ParameterizedTest
    @EnumSource
    void moveTakesTheSubtreeAlongAndRaisesOneVersion(Protocol protocol) {
        Tree tree = tree(protocol).build();

        Row moved = tree.move(5, 3);

        assertThat(moved.getLong("parent_id")).isEqualTo(3);
        assertThat(moved.version()).isEqualTo(2);
        assertThat(ids(tree.ancestors(6))).containsExactly(1L, 2L, 3L, 5L);
        assertThat(database.number("SELECT sum(version) FROM node")).isEqualTo(7);
    }

    @ParameterizedTest
    @EnumSource
    void moveToThePresentParentChangesNothing(Protocol protocol) {
        assertThat(tree(protocol).build().move(5, 4).version()).isEqualTo(1);
        assertThat(tree(protocol).build().move(1, null).version()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void movedSubtreeCountsAsAWhole(Protocol protocol) {
        Tree tree = tree(protocol).maxDepth(4).build();

        TreeRuleException refused = catchThrowableOfType(TreeRuleException.class, () -> tree.move(5, 3));

        assertThat(refused.rule()).isEqualTo(TreeRule.MAX_DEPTH);
        assertThat(refused.limit()).isEqualTo("4");
        assertThat(refused.actual()).isEqualTo("5");
        assertThat(refused.node()).contains(Key.of(5));
        assertThat(refused.parent()).contains(Key.of(3));
        assertThat(refused).hasMessage("node 5 would reach down to depth 5 of node, the limit is 4, under 3");
        assertThat(parentOf(5)).isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource
    void addBelowTheLimitOnly(Protocol protocol) {
        Tree tree = tree(protocol).build();

        assertThat(tree.add(6, row -> row.set("id", 7)).getLong("parent_id")).isEqualTo(6);
        assertThat(tree.depth(7)).isEqualTo(5);
        TreeRuleException refused =
                catchThrowableOfType(TreeRuleException.class, () -> tree.add(7, row -> row.set("id", 8)));
        assertThat(refused.rule()).isEqualTo(TreeRule.MAX_DEPTH);
        assertThat(refused.actual()).isEqualTo("6");
    }

    @ParameterizedTest
    @EnumSource
    void nothingGoesUnderItself(Protocol protocol) {
        Tree tree = tree(protocol).build();

        TreeRuleException itself = catchThrowableOfType(TreeRuleException.class, () -> tree.move(4, 4));
        TreeRuleException below = catchThrowableOfType(TreeRuleException.class, () -> tree.move(4, 6));

        assertThat(itself.rule()).isEqualTo(TreeRule.OWN_DESCENDANT);
        assertThat(itself).hasMessage("node 4 of node cannot stand under itself (4)");
        assertThat(below.actual()).isEqualTo("4 > 5 > 6");
        assertThat(below).hasMessage("node 4 of node cannot stand under 6, which is below it (4 > 5 > 6)");
    }

    @ParameterizedTest
    @EnumSource
    void whatIsMissingIsNamed(Protocol protocol) {
        Tree tree = tree(protocol).build();

        assertMissing(() -> tree.move(90, 91), 90, false);
        assertMissing(() -> tree.move(4, 91), 91, true);
        assertMissing(() -> tree.add(91, row -> row.set("id", 7)), 91, true);
        assertMissing(() -> tree.remove(90), 90, false);
        assertMissing(() -> tree.remove(90, Children.REMOVE), 90, false);
        assertMissing(() -> tree.remove(90, Children.LIFT), 90, false);
        assertMissing(() -> tree.ancestors(90), 90, false);
        assertMissing(() -> tree.descendants(90), 90, false);
    }

    private static void assertMissing(Runnable call, long key, boolean parent) {
        MissingNodeException missing = catchThrowableOfType(MissingNodeException.class, call::run);
        assertThat(missing.key()).isEqualTo(Key.of(key));
        assertThat(missing.isParent()).isEqualTo(parent);
        assertThat(missing).hasMessage("there is no " + (parent ? "parent " : "node ") + key + " in node");
    }

    @ParameterizedTest
    @EnumSource
    void typesStandWhereTheyMay(Protocol protocol) {
        Tree tree = typed(protocol);

        TreeRuleException moved = catchThrowableOfType(TreeRuleException.class, () -> tree.move(3, 1));
        TreeRuleException added =
                catchThrowableOfType(TreeRuleException.class, () -> tree.add(1, row -> row.set("id", 7)));

        assertThat(moved.rule()).isEqualTo(TreeRule.TYPE);
        assertThat(moved.limit()).isEqualTo("region, shop");
        assertThat(moved.actual()).isEqualTo("company");
        assertThat(moved)
                .hasMessage("a node of type shop cannot stand under 1 of node, which is of type company; it can stand"
                        + " under: region, shop");
        assertThat(added.rule()).isEqualTo(TreeRule.TYPE);
        assertThat(database.number("SELECT count(*) FROM node")).isEqualTo(6);
        assertThat(tree.move(6, 2).getLong("parent_id")).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    void oneRootIsEnough(Protocol protocol) {
        Tree tree = typed(protocol);

        TreeRuleException moved = catchThrowableOfType(TreeRuleException.class, () -> tree.move(2, null));
        TreeRuleException added = catchThrowableOfType(
                TreeRuleException.class,
                () -> tree.add(null, row -> row.set("id", 7).set("type", "company")));

        assertThat(moved.rule()).isEqualTo(TreeRule.SINGLE_ROOT);
        assertThat(moved).hasMessage("node 2 would be a second root of node, beside 1; the tree has one");
        assertThat(added.rule()).isEqualTo(TreeRule.SINGLE_ROOT);
        TreeRuleException lifted = catchThrowableOfType(TreeRuleException.class, () -> tree.remove(1, Children.LIFT));
        assertThat(lifted.rule()).isEqualTo(TreeRule.SINGLE_ROOT);
        assertThat(tree.remove(1, Children.REMOVE)).isEqualTo(6);
        assertThat(tree.add(null, row -> row.set("id", 7).set("type", "company"))
                        .getLong("id"))
                .isEqualTo(7);
    }

    @ParameterizedTest
    @EnumSource
    void severalRootsWhereTheyAreAllowed(Protocol protocol) {
        Tree tree = tree(protocol).build();

        assertThat(tree.move(4, null).isNull("parent_id")).isTrue();
        assertThat(tree.add(null, row -> row.set("id", 7)).isNull("parent_id")).isTrue();
        assertThat(ids(tree.children(null))).containsExactly(1L, 4L, 7L);
    }

    @ParameterizedTest
    @EnumSource
    void removalDoesWithTheChildrenWhatWasAsked(Protocol protocol) {
        Tree tree = tree(protocol).build();

        TreeRuleException refused = catchThrowableOfType(TreeRuleException.class, () -> tree.remove(4));
        assertThat(refused.rule()).isEqualTo(TreeRule.HAS_CHILDREN);
        assertThat(refused.actual()).isEqualTo("1");
        assertThat(tree.remove(4, Children.LIFT)).isEqualTo(1);
        assertThat(parentOf(5)).isEqualTo(1);
        assertThat(database.number("SELECT version FROM node WHERE id = 5")).isEqualTo(2);
        assertThat(tree.remove(5, Children.REMOVE)).isEqualTo(2);
        tree.remove(3);
        assertThat(ids(tree.descendants(1))).containsExactly(2L);
    }

    @ParameterizedTest
    @EnumSource
    void readsGoUpAndDown(Protocol protocol) {
        Tree tree = tree(protocol).build();

        assertThat(ids(tree.ancestors(6))).containsExactly(1L, 4L, 5L);
        assertThat(tree.ancestors(1)).isEmpty();
        assertThat(tree.depth(6)).isEqualTo(4);
        assertThat(ids(tree.children(1))).containsExactly(2L, 4L);
        assertThat(ids(tree.descendants(1))).containsExactly(2L, 4L, 3L, 5L, 6L);
        assertThat(tree.descendants(6)).isEmpty();
    }
}
