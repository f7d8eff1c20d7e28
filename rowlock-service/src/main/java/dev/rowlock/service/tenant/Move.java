package dev.rowlock.service.tenant;

import dev.rowlock.service.request.Range;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

/** A tenant's new place, with everything under it. */
record Move(
        @NotNull @Min(value = 1, message = Range.POSITIVE) Long newParentId) {}
