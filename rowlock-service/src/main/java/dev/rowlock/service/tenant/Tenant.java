package dev.rowlock.service.tenant;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.rowlock.Row;
import org.jspecify.annotations.Nullable;

/**
 * A tenant as it is answered.
 *
 * @param type platform, reseller or customer
 * @param parentId the tenant it stands under; null for a platform
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record Tenant(long id, String name, String type, @Nullable Long parentId) {
    static Tenant of(Row row) {
        return new Tenant(
                row.getLong("id"), row.getString("name"), row.getString("type"), row.get("parent_id", Long.class));
    }
}
