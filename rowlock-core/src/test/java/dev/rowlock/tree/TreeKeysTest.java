package dev.rowlock.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.DatabaseTest;
import dev.rowlock.Key;
import dev.rowlock.Row;
import dev.rowlock.RowlockSchema;
import dev.rowlock.Table;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A tree whose keys are no numbers. */
class TreeKeysTest extends DatabaseTest {
    private static final Table NODES = Table.of("node", "id").withVersion("version");

    /** Ten keys of a type, in no order but that of the list. */
    private record Keys(String type, List<Object> all) {
        Object key(int number) {
            return all.get(number);
        }

        @Override
        public String toString() {
            return type;
        }
    }

    private static Stream<Arguments> keys() {
        List<Object> uuids = Stream.iterate(0, i -> i < 10, i -> i + 1)
                .<Object>map(i -> UUID.fromString("%08x-0000-4000-8000-000000000000".formatted((i * 7) % 10)))
                .toList();
        List<Object> texts = List.of("home", "etc/\"x\"", "a'b", "Ä", "with, comma", "{}", "NULL", "b\\c", "0", "zz");
        return Stream.of(Protocol.values())
                .flatMap(protocol -> Stream.of(
                        Arguments.of(protocol, new Keys("uuid", uuids)),
                        Arguments.of(protocol, new Keys("text", texts)),
                        Arguments.of(protocol, new Keys("varchar(20)", texts)),
                        Arguments.of(protocol, new Keys("int", List.of(3, 1, 4, 15, 9, 2, 6, 5, 35, 8)))));
    }

    private Tree tree(Protocol protocol, Keys keys) {
        RowlockSchema.install(rowlock);
        database.sql("CREATE TABLE node (id " + keys.type() + " PRIMARY KEY, parent_id " + keys.type()
                + ", version bigint NOT NULL DEFAULT 1)");
        return Tree.over(rowlock, NODES).maxDepth(4).protocol(protocol).build();
    }

    /** 0 - 1 - 2 - 3, and 0 - 4. */
    private Tree filled(Protocol protocol, Keys keys) {
        Tree tree = tree(protocol, keys);
        add(tree, keys, 0, null);
        add(tree, keys, 1, keys.key(0));
        add(tree, keys, 2, keys.key(1));
        add(tree, keys, 3, keys.key(2));
        add(tree, keys, 4, keys.key(0));
        return tree;
    }

    private static void add(Tree tree, Keys keys, int number, Object parent) {
        Row added = tree.add(parent, row -> row.set("id", keys.key(number)));
        assertThat(added.key()).isEqualTo(Key.of(keys.key(number)));
    }

    private static List<Object> ids(List<Row> rows) {
        return rows.stream().map(row -> row.get("id", Object.class)).toList();
    }

    @ParameterizedTest
    @MethodSource("keys")
    void nodesAreAddedMovedRemovedAndRead(Protocol protocol, Keys keys) {
        Tree tree = filled(protocol, keys);

        assertThat(ids(tree.ancestors(keys.key(3)))).containsExactly(keys.key(0), keys.key(1), keys.key(2));
        assertThat(tree.move(keys.key(2), keys.key(4)).version()).isEqualTo(2);
        assertThat(ids(tree.ancestors(keys.key(3)))).containsExactly(keys.key(0), keys.key(4), keys.key(2));
        assertThat(ids(tree.descendants(keys.key(0))))
                .containsExactlyInAnyOrder(keys.key(1), keys.key(2), keys.key(3), keys.key(4))
                .endsWith(keys.key(2), keys.key(3));
        assertThat(tree.remove(keys.key(2), Children.LIFT)).isEqualTo(1);
        assertThat(ids(tree.children(keys.key(4)))).containsExactly(keys.key(3));
        assertThat(tree.remove(keys.key(4), Children.REMOVE)).isEqualTo(2);
        tree.remove(keys.key(1));
        assertThat(ids(tree.children(null))).containsExactly(keys.key(0));
        assertThat(tree.check().isSound()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("keys")
    void errorsNameTheKeys(Protocol protocol, Keys keys) {
        Tree tree = filled(protocol, keys);

        assertThatThrownBy(() -> tree.move(keys.key(1), keys.key(3)))
                .isInstanceOf(TreeRuleException.class)
                .hasMessage("node %1$s of node cannot stand under %3$s, which is below it (%1$s > %2$s > %3$s)"
                        .formatted(keys.key(1), keys.key(2), keys.key(3)));
        assertThatThrownBy(() -> add(tree, keys, 5, keys.key(3)))
                .isInstanceOf(TreeRuleException.class)
                .hasMessage("a new node would be at depth 5 of node, the limit is 4, under " + keys.key(3));
        assertThatThrownBy(() -> tree.remove(keys.key(2)))
                .isInstanceOf(TreeRuleException.class)
                .hasMessageStartingWith("node " + keys.key(2) + " of node has 1 children");
        assertThatThrownBy(() -> tree.move(keys.key(9), keys.key(0)))
                .isInstanceOf(MissingNodeException.class)
                .hasMessage("there is no node " + keys.key(9) + " in node");
        assertThatThrownBy(() -> tree.move(keys.key(1), keys.key(9)))
                .isInstanceOf(MissingNodeException.class)
                .hasMessage("there is no parent " + keys.key(9) + " in node");
    }

    @ParameterizedTest
    @MethodSource("keys")
    void ringsAndOrphansAreFoundAndMended(Protocol protocol, Keys keys) {
        Tree tree = filled(protocol, keys);
        setParent(keys.key(1), keys.key(3));
        setParent(keys.key(4), keys.key(9));

        TreeReport report = tree.check();

        assertThat(report.findings()).extracting(TreeReport.Finding::flaw).contains(Flaw.CYCLE, Flaw.ORPHAN);
        assertThatThrownBy(() -> tree.ancestors(keys.key(2)))
                .isInstanceOf(BrokenTreeException.class)
                .hasMessageContainingAll(
                        keys.key(1).toString(),
                        keys.key(2).toString(),
                        keys.key(3).toString());
        assertThatThrownBy(() -> tree.ancestors(keys.key(4)))
                .isInstanceOf(BrokenTreeException.class)
                .hasMessageContainingAll(keys.key(4).toString(), keys.key(9).toString());
        tree.repair(keys.key(0)).apply();
        assertThat(tree.check().isSound()).isTrue();
        assertThat(tree.descendants(keys.key(0))).hasSize(4);
    }

    private void setParent(Object node, Object parent) {
        assertThat(rowlock.execute("UPDATE node SET parent_id = ? WHERE id = ?", parent, node))
                .isEqualTo(1);
    }
}
