package dev.rowlock.service.tenant;

import dev.rowlock.service.openapi.MayAnswer;
import dev.rowlock.service.problem.ProblemType;
import dev.rowlock.service.request.Id;
import dev.rowlock.service.request.Page;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Tenants over HTTP. */
@Tag(name = "Tenants")
@RestController
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
final class TenantController {
    private final TenantService tenants;

    TenantController(TenantService tenants) {
        this.tenants = tenants;
    }

    @Operation(
            operationId = "createTenant",
            summary = "Make a tenant under another one, or a platform",
            description =
                    "A reseller stands under a platform or a reseller, a customer under one of these and nothing under it."
                            + " The tree is at most 6 tenants deep.")
    @MayAnswer({ProblemType.PARENT_NOT_FOUND, ProblemType.TENANT_RULE})
    @ResponseStatus(HttpStatus.CREATED)
    @PostMapping(path = "/tenants", consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<Tenant> create(@RequestBody NewTenant request) {
        Tenant tenant = tenants.create(request);
        return ResponseEntity.created(URI.create("/tenants/" + tenant.id())).body(tenant);
    }

    @Operation(operationId = "getTenant", summary = "Read a tenant and its place in the tree")
    @MayAnswer(ProblemType.TENANT_NOT_FOUND)
    @GetMapping("/tenants/{id}")
    PlacedTenant get(@PathVariable Id id) {
        return tenants.get(id.value());
    }

    @Operation(
            operationId = "listChildren",
            summary = "The tenants right under one, by id",
            description = "Where there may be more, Link has the next page.")
    @MayAnswer(ProblemType.TENANT_NOT_FOUND)
    @GetMapping("/tenants/{id}/children")
    ResponseEntity<List<Tenant>> children(
            @PathVariable Id id,
            @RequestParam(name = "after", required = false) @Nullable Id after,
            @Parameter(schema = @Schema(type = "integer", minimum = "1", maximum = "1000", defaultValue = "100"))
                    @RequestParam(name = "limit", required = false)
                    @Nullable
                    String limit) {
        Page page = Page.of(after, limit);
        return page.answer("/tenants/" + id.value() + "/children?", tenants.children(id.value(), page), Tenant::id);
    }

    @Operation(
            operationId = "moveTenant",
            summary = "Put a tenant, and all that is under it, under another one",
            description = "To where it stands already changes nothing and is no error.")
    @MayAnswer({ProblemType.TENANT_NOT_FOUND, ProblemType.PARENT_NOT_FOUND, ProblemType.TENANT_RULE})
    @PostMapping(path = "/tenants/{id}/move", consumes = MediaType.APPLICATION_JSON_VALUE)
    PlacedTenant move(@PathVariable Id id, @RequestBody Move request) {
        return tenants.move(id.value(), request.newParentId());
    }

    @Operation(operationId = "deleteTenant", summary = "Remove a tenant that has nothing under it")
    @MayAnswer({ProblemType.TENANT_NOT_FOUND, ProblemType.TENANT_RULE})
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @DeleteMapping("/tenants/{id}")
    void remove(@PathVariable Id id) {
        tenants.remove(id.value());
    }
}
