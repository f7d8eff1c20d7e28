package dev.rowlock.service.product;

import dev.rowlock.service.request.Range;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

/** How many to reserve. */
record NewReservation(
        @NotNull @Min(value = 1, message = Range.FROM_ONE) @Max(value = Range.MAX, message = Range.FROM_ONE)
        Long quantity) {}
