package dev.rowlock.service.wallet;

import dev.rowlock.service.idempotency.Idempotency;
import dev.rowlock.service.openapi.MayAnswer;
import dev.rowlock.service.problem.ProblemType;
import dev.rowlock.service.request.Id;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URI;
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

/** Wallets over HTTP. */
@Tag(name = "Wallets")
@RestController
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
final class WalletController {
    private final WalletService wallets;
    private final Idempotency idempotency;

    WalletController(WalletService wallets, Idempotency idempotency) {
        this.wallets = wallets;
        this.idempotency = idempotency;
    }

    @Operation(operationId = "createWallet", summary = "Make a wallet")
    @ResponseStatus(HttpStatus.CREATED)
    @PostMapping(path = "/wallets", consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<Wallet> create(@RequestBody NewWallet request) {
        Wallet wallet = wallets.create(request.balance());
        return ResponseEntity.created(URI.create("/wallets/" + wallet.id())).body(wallet);
    }

    @Operation(operationId = "getWallet", summary = "Read a wallet")
    @MayAnswer(ProblemType.WALLET_NOT_FOUND)
    @GetMapping("/wallets/{id}")
    Wallet get(@PathVariable Id id) {
        return wallets.get(id.value());
    }

    @Operation(operationId = "chargeWallet", summary = "Take an amount from a wallet, if it holds that much")
    @ApiResponse(responseCode = "200", content = @Content(schema = @Schema(implementation = Wallet.class)))
    @MayAnswer({
        ProblemType.WALLET_NOT_FOUND,
        ProblemType.INSUFFICIENT_FUNDS,
        ProblemType.REQUEST_IN_FLIGHT,
        ProblemType.IDEMPOTENCY_KEY_REUSED
    })
    @PostMapping(path = "/wallets/{id}/charges", consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<?> charge(
            @PathVariable Id id,
            @RequestHeader(name = Idempotency.HEADER, required = false) @Nullable String idempotencyKey,
            @RequestBody Charge request) {
        return idempotency.accept(
                idempotencyKey,
                "/wallets/" + id.value() + "/charges",
                request,
                () -> ResponseEntity.ok(wallets.charge(id.value(), request.amount())));
    }

    @Operation(operationId = "transfer", summary = "Move an amount from one wallet to another, whole or not at all")
    @ApiResponse(responseCode = "200", content = @Content(schema = @Schema(implementation = Transferred.class)))
    @MayAnswer({
        ProblemType.WALLET_NOT_FOUND,
        ProblemType.INSUFFICIENT_FUNDS,
        ProblemType.BALANCE_LIMIT,
        ProblemType.REQUEST_IN_FLIGHT,
        ProblemType.SAME_WALLET,
        ProblemType.IDEMPOTENCY_KEY_REUSED
    })
    @PostMapping(path = "/transfers", consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<?> transfer(
            @RequestHeader(name = Idempotency.HEADER, required = false) @Nullable String idempotencyKey,
            @RequestBody Transfer request) {
        return idempotency.accept(
                idempotencyKey,
                "/transfers",
                request,
                () -> ResponseEntity.ok(wallets.transfer(request.from(), request.to(), request.amount())));
    }
}
