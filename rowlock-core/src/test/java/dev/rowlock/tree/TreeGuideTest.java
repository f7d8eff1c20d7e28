package dev.rowlock.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.DatabaseTest;
import dev.rowlock.Row;
import dev.rowlock.Rowlock;
import dev.rowlock.RowlockSchema;
import dev.rowlock.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The examples of docs/tree.md, as they stand there, and what they claim. */
class TreeGuideTest extends DatabaseTest {
    TreeGuideTest() {
        super(
                "CREATE TABLE tenant (id bigserial PRIMARY KEY, parent_id bigint REFERENCES tenant, type text NOT NULL,"
                        + " name text NOT NULL, version bigint NOT NULL DEFAULT 1)",
                "CREATE INDEX ON tenant (parent_id)");
    }

    // guide: begin
    static final Table TENANTS = Table.of("tenant", "id").withVersion("version");

    static Tree tenants(Rowlock rowlock) {
        RowlockSchema.install(rowlock); // or run dev/rowlock/migration with Flyway
        return Tree.over(rowlock, TENANTS)
                .typeColumn("type")
                .allowRoots("company")
                .allow("region", "company", "region")
                .allow("shop", "company", "region")
                .maxDepth(5)
                .build();
    }

    static Row open(Tree tenants, Object region, String name) {
        return tenants.add(region, shop -> shop.set("type", "shop").set("name", name));
    }

    static String handOver(Tree tenants, Object node, Object newParent) {
        try {
            return "version " + tenants.move(node, newParent).version();
        } catch (MissingNodeException e) { // 404
            return e.isParent() ? "the new parent is gone" : "the node is gone";
        } catch (TreeRuleException e) { // 409
            return e.rule() + ": allowed is " + e.limit() + ", it would be " + e.actual();
        }
    }

    static void mend(Tree tenants, Object lostAndFound) {
        TreeReport report = tenants.check();
        if (!report.isSound()) {
            TreeRepair repair = tenants.repair(lostAndFound);
            repair.steps().forEach(System.out::println); // nothing is changed yet
            repair.apply();
        }
    }
    // guide: end

    @Test
    void standsInTheGuideToTheLetter() throws IOException {
        String source = Files.readString(Path.of("src/test/java/dev/rowlock/tree/TreeGuideTest.java"));
        String begin = "    // guide: begin\n";
        String snippet = source.substring(source.indexOf(begin) + begin.length(), source.indexOf("    // guide: end"));

        assertThat(Files.readString(Path.of("../docs/tree.md")).replace("\r\n", "\n"))
                .contains("```java\n" + snippet.replaceAll("(?m)^    ", "") + "```");
    }

    @Test
    void doesWhatTheGuideSays() {
        Tree tenants = tenants(rowlock);
        Row company = tenants.add(null, node -> node.set("type", "company").set("name", "Acme"));
        Row north =
                tenants.add(company.key(), node -> node.set("type", "region").set("name", "north"));
        Row south =
                tenants.add(company.key(), node -> node.set("type", "region").set("name", "south"));
        Row shop = open(tenants, north.key(), "Kiel");

        assertThat(handOver(tenants, shop.key(), south.key())).isEqualTo("version 2");
        assertThat(handOver(tenants, south.key(), shop.key()))
                .isEqualTo("OWN_DESCENDANT: allowed is no node of its own subtree, it would be 3 > 4");
        assertThat(handOver(tenants, shop.key(), 99L)).isEqualTo("the new parent is gone");
        assertThat(tenants.ancestors(shop.key()))
                .extracting(row -> row.getString("name"))
                .isEqualTo(List.of("Acme", "south"));

        database.sql("UPDATE tenant SET parent_id = 4 WHERE id = 3");
        mend(tenants, north.key());
        assertThat(tenants.check().isSound()).isTrue();
        assertThat(tenants.ancestors(shop.key()))
                .extracting(row -> row.getString("name"))
                .isEqualTo(List.of("Acme", "north", "south"));
    }
}
