package dev.rowlock.service.product;

import dev.rowlock.service.idempotency.Idempotency;
import dev.rowlock.service.openapi.MayAnswer;
import dev.rowlock.service.problem.ProblemException;
import dev.rowlock.service.problem.ProblemType;
import dev.rowlock.service.request.Id;
import dev.rowlock.spring.http.EntityTags;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Products over HTTP. */
@Tag(name = "Products")
@RestController
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
final class ProductController {
    private static final String MERGE_PATCH = "application/merge-patch+json";

    private final ProductService products;
    private final ReservationService reservations;
    private final Idempotency idempotency;

    ProductController(ProductService products, ReservationService reservations, Idempotency idempotency) {
        this.products = products;
        this.reservations = reservations;
        this.idempotency = idempotency;
    }

    @Operation(operationId = "createProduct", summary = "Make a product")
    @ApiResponse(
            responseCode = "201",
            useReturnTypeSchema = true,
            headers = @Header(name = HttpHeaders.ETAG, description = "the version in quotes"))
    @ResponseStatus(HttpStatus.CREATED)
    @PostMapping(path = "/products", consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<Product> create(@RequestBody ProductData request) {
        Product product = products.create(request);
        return ResponseEntity.created(URI.create("/products/" + product.id()))
                .eTag(EntityTags.tag(product.version()))
                .body(product);
    }

    /** Spring compares the ETag with the tags in If-None-Match; it leaves out {@code *}, which any product matches. */
    @Operation(
            operationId = "getProduct",
            summary = "Read a product",
            description = "The ETag is the version in quotes; send it as If-None-Match to learn cheaply of no change.")
    @ApiResponse(
            responseCode = "200",
            useReturnTypeSchema = true,
            headers = @Header(name = HttpHeaders.ETAG, description = "the version in quotes"))
    @ApiResponse(responseCode = "304", description = "Not changed", content = @Content)
    @MayAnswer({ProblemType.PRODUCT_NOT_FOUND, ProblemType.PRECONDITION_FAILED})
    @GetMapping("/products/{id}")
    ResponseEntity<Product> get(
            @PathVariable Id id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @RequestHeader(name = HttpHeaders.IF_NONE_MATCH, required = false) @Nullable String ifNoneMatch) {
        Product product = products.get(id.value());
        EntityTags tags = ifMatch == null ? null : EntityTags.parse(ifMatch);
        if (tags != null && !tags.match(product.version())) {
            throw ProductService.preconditionFailed(product, tags);
        }
        if (ifNoneMatch != null && ifNoneMatch.strip().equals("*")) {
            return ResponseEntity.status(HttpStatus.NOT_MODIFIED)
                    .eTag(EntityTags.tag(product.version()))
                    .build();
        }
        return ok(product);
    }

    @Operation(
            operationId = "replaceProduct",
            summary = "Replace all data of the version that was read",
            description = "If-Match must hold the ETag that was read, or several; * names no version and is a 428.")
    @ApiResponse(
            responseCode = "200",
            useReturnTypeSchema = true,
            headers = @Header(name = HttpHeaders.ETAG, description = "the version in quotes"))
    @MayAnswer({ProblemType.PRODUCT_NOT_FOUND, ProblemType.PRECONDITION_FAILED, ProblemType.PRECONDITION_REQUIRED})
    @PutMapping(path = "/products/{id}", consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<Product> replace(
            @PathVariable Id id,
            @Parameter(required = true) @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable
                    String ifMatch,
            @RequestBody ProductData request) {
        return ok(products.replace(id.value(), required(ifMatch), request));
    }

    @Operation(
            operationId = "changeProduct",
            summary = "Change some data of the version that was read",
            description = "A JSON merge patch (RFC 7396); version is required, what is left out stays as it is.")
    @ApiResponse(
            responseCode = "200",
            useReturnTypeSchema = true,
            headers = @Header(name = HttpHeaders.ETAG, description = "the version in quotes"))
    @MayAnswer({ProblemType.PRODUCT_NOT_FOUND, ProblemType.STALE, ProblemType.PRECONDITION_FAILED})
    @PatchMapping(
            path = "/products/{id}",
            consumes = {MERGE_PATCH, MediaType.APPLICATION_JSON_VALUE})
    ResponseEntity<Product> change(
            @PathVariable Id id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @RequestBody ProductPatch request) {
        return ok(products.change(id.value(), ifMatch == null ? null : EntityTags.parse(ifMatch), request));
    }

    @Operation(operationId = "reserveStock", summary = "Take a quantity from stock, if there is that much")
    @ApiResponse(responseCode = "201", content = @Content(schema = @Schema(implementation = Reservation.class)))
    @MayAnswer({
        ProblemType.PRODUCT_NOT_FOUND,
        ProblemType.OUT_OF_STOCK,
        ProblemType.REQUEST_IN_FLIGHT,
        ProblemType.IDEMPOTENCY_KEY_REUSED
    })
    @ResponseStatus(HttpStatus.CREATED)
    @PostMapping(path = "/products/{id}/reservations", consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<?> reserve(
            @PathVariable Id id,
            @RequestHeader(name = Idempotency.HEADER, required = false) @Nullable String idempotencyKey,
            @RequestBody NewReservation request) {
        return idempotency.accept(
                idempotencyKey,
                "/products/" + id.value() + "/reservations",
                request,
                () -> ResponseEntity.status(HttpStatus.CREATED)
                        .body(reservations.reserve(id.value(), request.quantity())));
    }

    private static EntityTags required(@Nullable String ifMatch) {
        EntityTags tags = ifMatch == null ? null : EntityTags.parse(ifMatch);
        if (tags == null || tags.any()) {
            throw new ProblemException(
                    ProblemType.PRECONDITION_REQUIRED,
                    "Send If-Match with the ETag of the product that was read and edited.");
        }
        return tags;
    }

    private static ResponseEntity<Product> ok(Product product) {
        return ResponseEntity.ok().eTag(EntityTags.tag(product.version())).body(product);
    }
}
