package dev.rowlock.service.tenant;

import dev.rowlock.Isolation;
import dev.rowlock.Row;
import dev.rowlock.Rowlock;
import dev.rowlock.Table;
import dev.rowlock.service.problem.ProblemException;
import dev.rowlock.service.problem.ProblemType;
import dev.rowlock.service.request.Page;
import dev.rowlock.tree.MissingNodeException;
import dev.rowlock.tree.Tree;
import dev.rowlock.tree.TreeRuleException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.springframework.stereotype.Service;

/** What can be done with tenants. All of it that changes the tree goes through {@link Tree}, whichever instance does it. */
@Service
final class TenantService {
    static final int MAX_DEPTH = 6;

    private static final Table TENANTS = Table.of("tenant", "id").withVersion("version");
    private static final String PLATFORM = "platform";
    private static final String RESELLER = "reseller";
    private static final String CUSTOMER = "customer";

    private static final String CHILDREN = """
            SELECT *
            FROM tenant
            WHERE parent_id = ?
              AND id > ?
            ORDER BY id
            LIMIT ?""";

    private final Rowlock rowlock;
    private final Tree tree;

    TenantService(Rowlock rowlock) {
        this.rowlock = rowlock;
        this.tree = tree(rowlock);
    }

    static Tree tree(Rowlock rowlock) {
        return Tree.over(rowlock, TENANTS)
                .typeColumn("type")
                .allowRoots(PLATFORM)
                .allow(RESELLER, PLATFORM, RESELLER)
                .allow(CUSTOMER, PLATFORM, RESELLER)
                .maxDepth(MAX_DEPTH)
                .build();
    }

    Tenant create(NewTenant tenant) {
        return Tenant.of(translated(() -> tree.add(
                tenant.parentId(), node -> node.set("name", tenant.name()).set("type", tenant.type()))));
    }

    /** From one snapshot, so that the path is one that was there. */
    PlacedTenant get(long id) {
        return rowlock.readOnly().withIsolation(Isolation.REPEATABLE_READ).call(tx -> placed(id));
    }

    private PlacedTenant placed(long id) {
        return translated(() -> rowlock.call(tx -> {
            List<Row> path = new ArrayList<>(tree.ancestors(id));
            path.add(tx.peek(TENANTS, id).orElseThrow(() -> missing(id)));
            return PlacedTenant.of(path.stream().map(Tenant::of).toList());
        }));
    }

    List<Tenant> children(long id, Page page) {
        return rowlock.readOnly().withIsolation(Isolation.REPEATABLE_READ).call(tx -> {
            if (tx.peek(TENANTS, id).isEmpty()) {
                throw missing(id);
            }
            return tx.query(CHILDREN, id, page.after(), page.limit()).stream()
                    .map(Tenant::of)
                    .toList();
        });
    }

    /** The answer's path is read under the tree's lock: it is where the move has put the tenant. */
    PlacedTenant move(long id, long newParent) {
        return translated(() -> rowlock.call(tx -> {
            Row moved = tree.move(id, newParent);
            return placed(moved.getLong("id"));
        }));
    }

    void remove(long id) {
        translated(() -> {
            tree.remove(id);
            return true;
        });
    }

    private static <T> T translated(Supplier<T> work) {
        try {
            return work.get();
        } catch (MissingNodeException e) {
            long key = (Long) e.key().values().get(0);
            throw e.isParent()
                    ? new ProblemException(
                                    ProblemType.PARENT_NOT_FOUND, "There is no tenant " + key + " to stand under.")
                            .with("parent", key)
                    : missing(key);
        } catch (TreeRuleException e) {
            throw new ProblemException(ProblemType.TENANT_RULE, sentence(e))
                    .with("rule", e.rule().name().toLowerCase(Locale.ROOT).replace('_', '-'))
                    .with("limit", e.limit())
                    .with("actual", e.actual());
        }
    }

    private static String sentence(TreeRuleException e) {
        return switch (e.rule()) {
            case MAX_DEPTH -> "The tree would be " + e.actual() + " tenants deep; the limit is " + e.limit() + ".";
            case OWN_DESCENDANT -> "A tenant cannot stand under itself: " + e.actual() + ".";
            case TYPE -> "It may stand under " + e.limit() + ", not under " + e.actual() + ".";
            case SINGLE_ROOT -> "There is a platform already.";
            case HAS_CHILDREN -> "The tenant has " + e.actual() + " tenants under it; move or remove them first.";
        };
    }

    private static ProblemException missing(long id) {
        return new ProblemException(ProblemType.TENANT_NOT_FOUND, "There is no tenant " + id + ".").with("tenant", id);
    }
}
