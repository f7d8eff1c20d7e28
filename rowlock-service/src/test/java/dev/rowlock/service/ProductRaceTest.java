package dev.rowlock.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that meet on the same product. */
@AuditedService
class ProductRaceTest {
    /** The size of the pool: so many requests can wait inside the database at once. */
    private static final int POOL = 20;

    private final TestService service = TestService.shared();
    private final Clients clients = new Clients();
    private long id;
    private String path;

    @BeforeEach
    void makeProductWithOneUnit() {
        id = service.product("oar", 100, 1);
        path = "/products/" + id;
    }

    @AfterEach
    void end() {
        clients.close();
    }

    /** All requests are on their way, and as many as can be are inside the database, before the first gets the row. */
    private List<Answer> crowd(int size, IntFunction<Answer> request) {
        List<Future<Answer>> all;
        try (TestDatabase.Held held = service.database().hold("product", id)) {
            all = clients.crowd(size, request);
            service.database().awaitBlocked(Math.min(size, POOL));
        }
        return Clients.results(all);
    }

    private Answer reserve() {
        return service.post(path + "/reservations", "{\"quantity\":1}");
    }

    private long reservations() {
        return service.database().number("SELECT count(*) FROM reservation WHERE product_id = " + id);
    }

    @Test
    void secondBuyerOfTheLastUnitIsRefused() {
        List<Answer> answers = crowd(2, number -> reserve());

        assertThat(Clients.count(answers, 201)).isEqualTo(1);
        assertThat(Clients.count(answers, 409)).isEqualTo(1);
        assertThat(service.get(path).number("stock")).isZero();
        assertThat(reservations()).isEqualTo(1);
    }

    @Test
    void oneOfHundredBuyersGetsTheLastUnit() {
        List<Answer> answers = crowd(100, number -> reserve());

        assertThat(Clients.count(answers, 201)).isEqualTo(1);
        assertThat(Clients.count(answers, 409)).isEqualTo(99);
        answers.stream().filter(answer -> answer.status() == 409).forEach(answer -> {
            answer.isProblem(409, "out-of-stock");
            assertThat(answer.number("stock")).isZero();
        });
        assertThat(service.get(path).number("stock")).isZero();
        assertThat(reservations()).isEqualTo(1);
    }

    @Test
    void oneOfFiftyPutsOfTheSameVersionWins() {
        List<Answer> answers = crowd(
                50,
                number -> service.json(
                        "PUT",
                        path,
                        "{\"name\":\"n%d\",\"price\":1,\"stock\":1}".formatted(number),
                        "If-Match",
                        "\"1\""));

        assertThat(Clients.count(answers, 200)).isEqualTo(1);
        assertThat(Clients.count(answers, 412)).isEqualTo(49);
        Answer now = service.get(path);
        assertThat(now.header("ETag")).isEqualTo("\"2\"");
        answers.stream().filter(answer -> answer.status() == 412).forEach(answer -> {
            answer.isProblem(412, "precondition-failed");
            assertThat(answer.json("current")).isEqualTo(now.json());
        });
    }

    @Test
    void oneOfFiftyPutsWithSeveralTagsWins() {
        List<Answer> answers = crowd(
                50,
                number -> service.json(
                        "PUT", path, "{\"name\":\"n\",\"price\":1,\"stock\":1}", "If-Match", "\"1\", \"1000\""));

        assertThat(Clients.count(answers, 200)).isEqualTo(1);
        assertThat(Clients.count(answers, 412)).isEqualTo(49);
        assertThat(service.get(path).number("version")).isEqualTo(2);
    }

    @Test
    void oneOfTwentyPatchesOfTheSameVersionWins() {
        List<Answer> answers =
                crowd(20, number -> service.json("PATCH", path, "{\"version\":1,\"price\":" + (1000 + number) + "}"));

        assertThat(Clients.count(answers, 200)).isEqualTo(1);
        assertThat(Clients.count(answers, 409)).isEqualTo(19);
        answers.stream().filter(answer -> answer.status() == 409).forEach(answer -> answer.isProblem(409, "stale"));
        assertThat(service.get(path).number("version")).isEqualTo(2);
    }

    @Test
    void editOfWhatWasReadBeforeAReservationIsRefused() {
        String edit = "{\"version\":1,\"stock\":5}";
        assertThat(reserve().status()).isEqualTo(201);

        service.json("PATCH", path, edit).isProblem(409, "stale");
        assertThat(service.get(path).number("stock")).isZero();
    }
}
