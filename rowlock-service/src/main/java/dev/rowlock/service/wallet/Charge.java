package dev.rowlock.service.wallet;

import dev.rowlock.service.request.Range;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

/** An amount to be taken from a wallet. */
record Charge(
        @NotNull @Min(value = 1, message = Range.FROM_ONE) @Max(value = Range.MAX, message = Range.FROM_ONE)
        Long amount) {}
