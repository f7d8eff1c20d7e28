package dev.rowlock.service.product;

import dev.rowlock.service.request.Name;
import dev.rowlock.service.request.Range;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import org.jspecify.annotations.Nullable;

/**
 * The data of a product that are to be changed (RFC 7396); what is left out stays as it is.
 *
 * @param version the version that was read
 */
record ProductPatch(
        @NotNull @Min(value = 1, message = Range.POSITIVE) Long version,

        @Name @Schema(minLength = 1, maxLength = Name.MAX_LENGTH) @Nullable
        String name,

        @Min(value = 0, message = Range.FROM_ZERO) @Max(value = Range.MAX, message = Range.FROM_ZERO) @Nullable
        Long price,

        @Min(value = 0, message = Range.FROM_ZERO) @Max(value = Range.MAX, message = Range.FROM_ZERO) @Nullable
        Long stock) {

    boolean changesNothing() {
        return name == null && price == null && stock == null;
    }

    /** Whether that makes a difference. */
    boolean applyTo(StoredProduct product) {
        return product.edit(
                name == null ? product.name() : name,
                price == null ? product.price() : price,
                stock == null ? product.stock() : stock);
    }
}
