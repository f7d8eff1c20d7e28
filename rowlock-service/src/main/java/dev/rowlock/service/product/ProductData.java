package dev.rowlock.service.product;

import dev.rowlock.service.request.Name;
import dev.rowlock.service.request.Range;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

/** All data of a product, to make one or to replace it. */
record ProductData(
        @NotNull @Name @Schema(minLength = 1, maxLength = Name.MAX_LENGTH)
        String name,

        @NotNull @Min(value = 0, message = Range.FROM_ZERO) @Max(value = Range.MAX, message = Range.FROM_ZERO)
        Long price,

        @NotNull @Min(value = 0, message = Range.FROM_ZERO) @Max(value = Range.MAX, message = Range.FROM_ZERO)
        Long stock) {}
