package dev.rowlock.service.tenant;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A tenant and its place in the tree.
 *
 * @param depth how many tenants stand above it, plus one: a platform has depth 1
 * @param path the tenants from the platform down to this one, itself included
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record PlacedTenant(
        long id, String name, String type, @Nullable Long parentId, int depth, List<Tenant> path) {
    /** The last of the path, with the path. */
    static PlacedTenant of(List<Tenant> path) {
        Tenant last = path.get(path.size() - 1);
        return new PlacedTenant(last.id(), last.name(), last.type(), last.parentId(), path.size(), List.copyOf(path));
    }
}
