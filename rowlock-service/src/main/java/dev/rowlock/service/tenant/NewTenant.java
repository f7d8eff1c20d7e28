package dev.rowlock.service.tenant;

import dev.rowlock.service.request.Name;
import dev.rowlock.service.request.Range;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A tenant to be made.
 *
 * @param parentId the tenant it stands under; left out for a platform, and only for that
 */
record NewTenant(
        @NotNull @Name @Schema(minLength = 1, maxLength = Name.MAX_LENGTH)
        String name,

        @NotNull
        @Pattern(regexp = "platform|reseller|customer", message = "must be platform, reseller or customer")
        @Schema(allowableValues = {"platform", "reseller", "customer"})
        String type,

        @Min(value = 1, message = Range.POSITIVE) @Nullable Long parentId) {}
