package dev.rowlock.service.order;

import dev.rowlock.service.idempotency.Idempotency;
import dev.rowlock.service.openapi.MayAnswer;
import dev.rowlock.service.problem.ProblemException;
import dev.rowlock.service.problem.ProblemType;
import dev.rowlock.service.request.Id;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Orders over HTTP. */
@Tag(name = "Orders")
@RestController
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
final class OrderController {
    private final OrderService orders;
    private final Idempotency idempotency;

    OrderController(OrderService orders, Idempotency idempotency) {
        this.orders = orders;
        this.idempotency = idempotency;
    }

    @Operation(
            operationId = "placeOrder",
            summary = "Order, take the stock and pay: as a whole or not at all",
            description =
                    "A repeat with the same Idempotency-Key gets the first answer again, with Idempotent-Replayed: true.")
    @ApiResponse(responseCode = "201", content = @Content(schema = @Schema(implementation = Order.class)))
    @MayAnswer({
        ProblemType.IDEMPOTENCY_KEY_REQUIRED,
        ProblemType.WALLET_NOT_FOUND,
        ProblemType.PRODUCT_NOT_FOUND,
        ProblemType.OUT_OF_STOCK,
        ProblemType.INSUFFICIENT_FUNDS,
        ProblemType.REQUEST_IN_FLIGHT,
        ProblemType.IDEMPOTENCY_KEY_REUSED,
        ProblemType.ORDER_LIMIT
    })
    @ResponseStatus(HttpStatus.CREATED)
    @PostMapping(path = "/orders", consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<?> place(
            @Parameter(required = true) @RequestHeader(name = Idempotency.HEADER, required = false) @Nullable
                    String idempotencyKey,
            @RequestBody NewOrder request) {
        requireEachProductOnce(request);
        return idempotency.require(idempotencyKey, "/orders", request, () -> {
            Order order = orders.place(request);
            return ResponseEntity.created(URI.create("/orders/" + order.id())).body(order);
        });
    }

    @Operation(operationId = "getOrder", summary = "Read an order")
    @MayAnswer(ProblemType.ORDER_NOT_FOUND)
    @GetMapping("/orders/{id}")
    Order get(@PathVariable Id id) {
        return orders.get(id.value());
    }

    /** Two lines of one product would have two prices to be told apart if it were edited in between; one line says it all. */
    private static void requireEachProductOnce(NewOrder request) {
        Map<Long, Integer> seen = new HashMap<>();
        for (int i = 0; i < request.lines().size(); i++) {
            Integer first = seen.putIfAbsent(request.lines().get(i).productId(), i);
            if (first != null) {
                throw ProblemException.invalid(
                        "lines[" + i + "].productId", "is the product of lines[" + first + "] too; make it one line");
            }
        }
    }
}
