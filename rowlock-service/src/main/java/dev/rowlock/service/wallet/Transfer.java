package dev.rowlock.service.wallet;

import dev.rowlock.service.request.Range;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

/** An amount to be moved from one wallet to another. */
record Transfer(
        @NotNull @Min(value = 1, message = Range.POSITIVE) Long from,
        @NotNull @Min(value = 1, message = Range.POSITIVE) Long to,

        @NotNull @Min(value = 1, message = Range.FROM_ONE) @Max(value = Range.MAX, message = Range.FROM_ONE)
        Long amount) {}
