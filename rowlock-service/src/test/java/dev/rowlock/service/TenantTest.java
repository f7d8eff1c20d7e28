package dev.rowlock.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tenants stand in a tree, and stay in one. */
@AuditedService
class TenantTest {
    private final TestService service = TestService.shared();
    private final Clients clients = new Clients();

    @AfterEach
    void end() {
        clients.close();
    }

    private Answer create(String type, Object parent) {
        return service.post(
                "/tenants", "{\"name\":\"%s\",\"type\":\"%s\",\"parentId\":%s}".formatted("a " + type, type, parent));
    }

    private long platform() {
        return service.post("/tenants", "{\"name\":\"top\",\"type\":\"platform\"}")
                .number("id");
    }

    private long reseller(long parent) {
        return create("reseller", parent).number("id");
    }

    /** Resellers below the tenant, one under the other. */
    private List<Long> chain(long parent, int length) {
        List<Long> chain = new ArrayList<>();
        long above = parent;
        for (int i = 0; i < length; i++) {
            above = reseller(above);
            chain.add(above);
        }
        return chain;
    }

    private Answer move(long tenant, long newParent) {
        return service.post("/tenants/" + tenant + "/move", "{\"newParentId\":" + newParent + "}");
    }

    private Answer delete(long tenant) {
        return service.send("DELETE", "/tenants/" + tenant, BodyPublishers.noBody());
    }

    private Answer get(long tenant) {
        return service.get("/tenants/" + tenant);
    }

    private static void breaks(Answer answer, String rule, String limit, String actual) {
        answer.isProblem(409, "tenant-rule");
        assertThat(answer.json("rule").asString()).isEqualTo(rule);
        assertThat(answer.json("limit").asString()).isEqualTo(limit);
        assertThat(answer.json("actual").asString()).isEqualTo(actual);
    }

    @Test
    void tenantIsMadeUnderAnotherOne() {
        long top = platform();
        Answer made = create("reseller", top);

        long id = made.number("id");
        made.is(201, "{\"id\":%d,\"name\":\"a reseller\",\"type\":\"reseller\",\"parentId\":%d}".formatted(id, top));
        assertThat(made.header("Location")).isEqualTo("/tenants/" + id);
        get(id).is(200, """
                {"id":%1$d,"name":"a reseller","type":"reseller","parentId":%2$d,"depth":2,"path":[
                 {"id":%2$d,"name":"top","type":"platform","parentId":null},
                 {"id":%1$d,"name":"a reseller","type":"reseller","parentId":%2$d}]}""".formatted(id, top));
    }

    @Test
    void childrenComeInPages() {
        long top = platform();
        long one = reseller(top);
        long two = reseller(top);
        long three = create("customer", top).number("id");
        reseller(one);

        Answer first = service.get("/tenants/" + top + "/children?limit=2");
        assertThat(first.json().valueStream().map(child -> child.path("id").asLong()))
                .containsExactly(one, two);
        assertThat(first.header("Link"))
                .isEqualTo("</tenants/%d/children?after=%d&limit=2>; rel=\"next\"".formatted(top, two));
        Answer rest = service.get("/tenants/%d/children?after=%d&limit=2".formatted(top, two));
        assertThat(rest.json().valueStream().map(child -> child.path("id").asLong()))
                .containsExactly(three);
        assertThat(rest.header("Link")).isEmpty();
        service.get("/tenants/" + top + "/children?limit=1001").isInvalid("limit");
        service.get("/tenants/999999/children").isProblem(404, "tenant-not-found");
    }

    @Test
    void missingTenantAndMissingParentAreToldApart() {
        long top = platform();
        assertThat(get(999_999).isProblem(404, "tenant-not-found").number("tenant"))
                .isEqualTo(999_999);
        assertThat(move(999_999, top).isProblem(404, "tenant-not-found").number("tenant"))
                .isEqualTo(999_999);
        assertThat(move(reseller(top), 999_999)
                        .isProblem(404, "parent-not-found")
                        .number("parent"))
                .isEqualTo(999_999);
        assertThat(create("reseller", 999_999)
                        .isProblem(404, "parent-not-found")
                        .number("parent"))
                .isEqualTo(999_999);
        delete(999_999).isProblem(404, "tenant-not-found");
    }

    @Test
    void eachTypeStandsOnlyWhereItMay() {
        long top = platform();
        long customer = create("customer", top).number("id");

        create("reseller", customer).isProblem(409, "tenant-rule");
        create("customer", customer).isProblem(409, "tenant-rule");
        create("platform", top).isProblem(409, "tenant-rule");
        service.post("/tenants", "{\"name\":\"x\",\"type\":\"customer\"}").isProblem(409, "tenant-rule");
        move(reseller(top), customer).isProblem(409, "tenant-rule");
        service.post("/tenants", "{\"name\":\"x\",\"type\":\"king\"}").isInvalid("type");
    }

    @Test
    void treeIsSixTenantsDeepAtMost() {
        long top = platform();
        List<Long> chain = chain(top, 5);
        breaks(create("customer", chain.get(4)), "max-depth", "6", "7");
        long other = reseller(top);
        reseller(other);

        breaks(move(other, chain.get(3)), "max-depth", "6", "7");
        assertThat(move(other, chain.get(2)).number("depth")).isEqualTo(5);
    }

    @Test
    void tenantCannotStandUnderItself() {
        long top = platform();
        List<Long> chain = chain(top, 3);

        move(chain.get(0), chain.get(2)).isProblem(409, "tenant-rule");
        move(chain.get(0), chain.get(0)).isProblem(409, "tenant-rule");
        assertThat(get(chain.get(2)).number("depth")).isEqualTo(4);
    }

    @Test
    void moveToWhereItStandsChangesNothing() {
        long top = platform();
        long tenant = reseller(top);

        assertThat(move(tenant, top).number("parentId")).isEqualTo(top);
        assertThat(service.database().number("SELECT version FROM tenant WHERE id = " + tenant))
                .isEqualTo(1);
    }

    @Test
    void onlyATenantWithNothingUnderItIsRemoved() {
        long top = platform();
        List<Long> chain = chain(top, 2);

        breaks(delete(chain.get(0)), "has-children", "0", "1");
        assertThat(delete(chain.get(1)).status()).isEqualTo(204);
        assertThat(delete(chain.get(0)).status()).isEqualTo(204);
        get(chain.get(0)).isProblem(404, "tenant-not-found");
    }

    /** A under B and B under A at once: each alone is legal. */
    @Test
    void twoMovesThatWouldMakeARingAreNotBothMade() {
        long top = platform();
        long a = reseller(top);
        long b = reseller(top);

        List<Future<Answer>> both = clients.crowd(2, number -> number == 0 ? move(a, b) : move(b, a));
        List<Answer> answers = Clients.results(both);

        assertThat(Clients.count(answers, 200)).isEqualTo(1);
        assertThat(Clients.count(answers, 409)).isEqualTo(1);
        assertThat(get(a).number("depth") + get(b).number("depth")).isEqualTo(5);
    }
}
