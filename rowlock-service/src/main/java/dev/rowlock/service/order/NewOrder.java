package dev.rowlock.service.order;

import dev.rowlock.service.request.Range;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.List;

/**
 * What is ordered, and which wallet pays.
 *
 * @param lines each product once
 */
record NewOrder(
        @NotNull @Min(value = 1, message = Range.POSITIVE) Long walletId,

        @NotNull
        @Size(min = 1, max = NewOrder.MAX_LINES, message = "must have from 1 to " + NewOrder.MAX_LINES + " lines")
        List<NewLine> lines) {
    static final int MAX_LINES = 100;

    /** So many of one product. */
    record NewLine(
            @NotNull @Min(value = 1, message = Range.POSITIVE)
            Long productId,

            @NotNull @Min(value = 1, message = Range.FROM_ONE) @Max(value = Range.MAX, message = Range.FROM_ONE)
            Long quantity) {}
}
