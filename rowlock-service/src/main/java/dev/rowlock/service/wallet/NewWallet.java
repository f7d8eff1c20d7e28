package dev.rowlock.service.wallet;

import dev.rowlock.service.request.Range;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

/** A wallet to be made. */
record NewWallet(
        @NotNull @Min(value = 0, message = Range.FROM_ZERO) @Max(value = Range.MAX, message = Range.FROM_ZERO)
        Long balance) {}
