package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.Rowlock;
import dev.rowlock.Table;
import dev.rowlock.tree.Tree;
import dev.rowlock.tree.TreeReport;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.postgresql.ds.PGSimpleDataSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Two service processes on one database under load, and one of them killed in the middle of it: whatever clients were told, and
 * whatever they were not, the books balance.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class) // a process that is killed takes long to be started again
class BusyInstancesIT {
    private static final JsonMapper JSON = new JsonMapper();
    private static final int MOST_REPEATS = 10;

    private static TempDataDir dataDir;
    private static ServerProcess first;
    /** Started again for the next test once it was killed. */
    private static ServerProcess second;

    private static boolean secondIsKilled;

    @BeforeAll
    static void startFirst() {
        dataDir = TempDataDir.create();
        first = ServerProcess.start("--data-dir", dataDir.toString());
    }

    @AfterAll
    static void stopFirst() {
        try (TempDataDir removed = dataDir) {
            if (second != null) {
                second.close();
            }
            if (first != null) {
                first.close();
            }
            assertThat(removed).isNotNull();
        }
    }

    @BeforeEach
    void startSecond() {
        if (second == null || secondIsKilled) {
            second = ServerProcess.start("--url", first.jdbcUrl());
            secondIsKilled = false;
        }
    }

    private static void killSecond() {
        second.kill();
        secondIsKilled = true;
    }

    /** An answer; empty if the process died before it came. */
    private record Told(int status, String body, boolean replayed) {
        JsonNode json() {
            return JSON.readTree(body);
        }
    }

    @Test
    @Order(1)
    void twoHundredOrdersAddUpToTheUnit() throws Exception {
        twoHundredOrders(false);
    }

    @Test
    @Order(2)
    void twoHundredOrdersAddUpToTheUnitAlthoughAProcessIsKilled() throws Exception {
        twoHundredOrders(true);
    }

    private void twoHundredOrders(boolean killed) throws Exception {
        int orders = 200;
        List<Long> products = made(5, "/products", "{\"name\":\"p\",\"price\":3,\"stock\":1000}");
        List<Long> wallets = made(10, "/wallets", "{\"balance\":1000}");
        String deadlocks = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()";
        String before = sql(deadlocks);

        List<Told> told = load(orders, killed ? 100 : orders, killed ? orders / 4 : 0, number -> {
            List<Long> lines = new ArrayList<>(products);
            if (number % 2 == 1) {
                Collections.reverse(lines);
            }
            return orderAgainAndAgain(
                    number,
                    wallets.get(number % 10),
                    lines.subList(0, 4),
                    UUID.randomUUID().toString());
        });

        assertThat(told)
                .allSatisfy(
                        answer -> assertThat(answer.status()).as(answer.body()).isEqualTo(201));
        assertThat(told.stream()
                        .map(answer -> answer.json().path("id").asLong())
                        .distinct())
                .hasSize(orders);
        String ids = ids(wallets);
        assertThat(sql("SELECT count(*) FROM shop_order WHERE wallet_id IN (" + ids + ")"))
                .isEqualTo("200");
        assertThat(sql("SELECT sum(balance) FROM wallet WHERE id IN (" + ids + ")"))
                .isEqualTo(Integer.toString(10 * 1000 - orders * 4 * 3));
        assertThat(sql("SELECT sum(amount) FROM audit_entry WHERE wallet_id IN (" + ids + ")"))
                .isEqualTo(Integer.toString(-orders * 4 * 3));
        assertThat(sql("SELECT sum(1000 - stock) FROM product WHERE id IN (" + ids(products) + ")"))
                .isEqualTo(Integer.toString(orders * 4));
        assertThat(sql("""
                SELECT count(*) FROM product AS p
                WHERE p.id IN (%s)
                  AND 1000 - p.stock <> (SELECT sum(quantity) FROM order_line WHERE product_id = p.id)""".formatted(ids(products)))).isEqualTo("0");
        assertThat(sql(deadlocks)).isEqualTo(before);
        awaitConfirmed(ids, orders);
    }

    /** Every order has been confirmed; the notification's key does not let it be twice. */
    private static void awaitConfirmed(String wallets, int orders) {
        Awaitility.await("the confirmation of all orders")
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> sql("""
                        SELECT count(*) FROM notification AS n JOIN shop_order AS o ON o.id = n.order_id
                        WHERE o.wallet_id IN (%s)""".formatted(wallets)).equals(Integer.toString(orders)));
        Awaitility.await("the end of all jobs")
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> sql("SELECT count(*) FROM rowlock_job").equals("0"));
    }

    @Test
    @Order(1)
    void orderThatIsSentTwentyTimesAtOnceIsPlacedOnce() throws Exception {
        orderSentTwentyTimes(false);
    }

    @Tag("deep")
    @Test
    @Order(2)
    void orderThatIsSentTwentyTimesIsPlacedOnceAlthoughAProcessIsKilled() throws Exception {
        orderSentTwentyTimes(true);
    }

    private void orderSentTwentyTimes(boolean killed) throws Exception {
        long product = made(1, "/products", "{\"name\":\"p\",\"price\":3,\"stock\":10}")
                .get(0);
        long wallet = made(1, "/wallets", "{\"balance\":100}").get(0);
        String key = UUID.randomUUID().toString();
        List<CompletableFuture<Told>> sent = new ArrayList<>();
        try (Connection holder = DriverManager.getConnection(first.jdbcUrl());
                Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute("SELECT FROM product WHERE id = " + product + " FOR UPDATE");
            for (int i = 0; i < 20; i++) {
                sent.add(orderAgainAndAgain(i, wallet, List.of(product), key));
            }
            Awaitility.await("requests that wait")
                    .atMost(Duration.ofSeconds(20))
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> Integer.parseInt(
                                    sql("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"))
                            >= 10);
            if (killed) {
                killSecond();
            }
            holder.rollback();
        }
        List<Told> told = sent.stream().map(CompletableFuture::join).toList();

        assertThat(told)
                .allSatisfy(
                        answer -> assertThat(answer.status()).as(answer.body()).isEqualTo(201));
        assertThat(told.stream().map(Told::body).distinct()).hasSize(1);
        if (!killed) { // the answer that was not a replay may have been lost with the process
            assertThat(told.stream().filter(Told::replayed)).hasSize(19);
        }
        assertThat(sql("SELECT count(*) FROM shop_order WHERE wallet_id = " + wallet))
                .isEqualTo("1");
        assertThat(sql("SELECT balance FROM wallet WHERE id = " + wallet)).isEqualTo("97");
        assertThat(sql("SELECT stock FROM product WHERE id = " + product)).isEqualTo("9");
        awaitConfirmed(Long.toString(wallet), 1);
    }

    @Test
    @Order(1)
    void fiveHundredMovesAndAddsLeaveATree() throws Exception {
        fiveHundredMovesAndAdds(false);
    }

    @Tag("deep")
    @Test
    @Order(2)
    void fiveHundredMovesAndAddsLeaveATreeAlthoughAProcessIsKilled() throws Exception {
        fiveHundredMovesAndAdds(true);
    }

    private void fiveHundredMovesAndAdds(boolean killed) throws Exception {
        int changes = 500;
        long platform =
                made(1, "/tenants", "{\"name\":\"top\",\"type\":\"platform\"}").get(0);
        List<Long> tenants = new CopyOnWriteArrayList<>(
                made(40, "/tenants", "{\"name\":\"t\",\"type\":\"reseller\",\"parentId\":" + platform + "}"));
        SplittableRandom random = new SplittableRandom(20261130);
        List<int[]> choices = IntStream.range(0, changes)
                .mapToObj(i -> new int[] {random.nextInt(1 << 20), random.nextInt(1 << 20), random.nextInt(3)})
                .toList();

        List<Told> told = load(changes, 32, killed ? changes / 4 : 0, number -> {
            int[] choice = choices.get(number);
            long one = tenants.get(choice[0] % tenants.size());
            long other = tenants.get(choice[1] % tenants.size());
            return choice[2] == 0
                    ? post(number, "/tenants", "{\"name\":\"n\",\"type\":\"reseller\",\"parentId\":" + one + "}", null)
                            .thenApply(answer -> {
                                if (answer.status() == 201) {
                                    tenants.add(answer.json().path("id").asLong());
                                }
                                return answer;
                            })
                    : post(number, "/tenants/" + one + "/move", "{\"newParentId\":" + other + "}", null);
        });

        assertThat(told)
                .allSatisfy(answer -> assertThat(
                                answer.status() == 409
                                        ? answer.json().path("rule").asString()
                                        : Integer.toString(answer.status()))
                        .as(answer.body())
                        .isIn("200", "201", "0", "max-depth", "own-descendant"));
        assertThat(told.stream().filter(answer -> answer.status() == 409)).isNotEmpty();
        assertThat(told.stream().filter(answer -> answer.status() == 0).count()).isLessThan(killed ? changes : 1);
        TreeReport report = tree().check();
        assertThat(report.isSound()).as(report.toString()).isTrue();
        assertThat(Integer.parseInt(sql("SELECT count(*) FROM tenant"))).isGreaterThanOrEqualTo(tenants.size() + 1);
    }

    private static Tree tree() {
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setUrl(first.jdbcUrl());
        return Tree.over(Rowlock.over(database), Table.of("tenant", "id").withVersion("version"))
                .typeColumn("type")
                .allowRoots("platform")
                .allow("reseller", "platform", "reseller")
                .allow("customer", "platform", "reseller")
                .maxDepth(6)
                .build();
    }

    /**
     * All requests, so many at a time; the second process is killed once so many are answered, if any number is given. Those that are
     * sent to it afterwards find nobody.
     */
    private static List<Told> load(
            int requests, int atOnce, int killAfter, IntFunction<CompletableFuture<Told>> request)
            throws InterruptedException {
        Semaphore free = new Semaphore(atOnce);
        CountDownLatch untilKill = new CountDownLatch(killAfter);
        List<CompletableFuture<Told>> sent = new ArrayList<>();
        for (int i = 0; i < requests; i++) {
            assertThat(free.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
            if (killAfter > 0 && untilKill.getCount() == 0) {
                killSecond();
            }
            sent.add(request.apply(i).whenComplete((told, failure) -> {
                untilKill.countDown();
                free.release();
            }));
        }
        return sent.stream().map(CompletableFuture::join).toList();
    }

    /** As a client should: the same key again, to the other instance, until there is an answer that is no "try later". */
    private CompletableFuture<Told> orderAgainAndAgain(int number, long wallet, List<Long> products, String key) {
        String lines = products.stream()
                .map(id -> "{\"productId\":" + id + ",\"quantity\":1}")
                .collect(Collectors.joining(","));
        return again(number, "{\"walletId\":" + wallet + ",\"lines\":[" + lines + "]}", key, MOST_REPEATS);
    }

    private CompletableFuture<Told> again(int number, String body, String key, int left) {
        return post(number, "/orders", body, key).thenCompose(answer -> {
            boolean later = answer.status() == 0
                    || answer.status() == 503
                    || answer.body().contains("request-in-flight");
            return later && left > 0
                    ? again(answer.status() == 0 ? 0 : number, body, key, left - 1)
                    : CompletableFuture.completedFuture(answer);
        });
    }

    private CompletableFuture<Told> post(int number, String path, String body, String key) {
        String base = (number % 2 == 0 ? first : second).baseUrl();
        CompletableFuture<HttpResponse<String>> answer = key == null
                ? Http.sendAsync("POST", base + path, body)
                : Http.sendAsync("POST", base + path, body, "Idempotency-Key", key);
        return answer.handle((response, failure) -> {
            if (failure == null) {
                return new Told(
                        response.statusCode(),
                        response.body(),
                        response.headers().firstValue("Idempotent-Replayed").isPresent());
            }
            if (number % 2 == 0) {
                throw new CompletionException("the process that was not killed did not answer", failure);
            }
            return new Told(0, "{}", false);
        });
    }

    private static List<Long> made(int count, String path, String body) {
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            HttpResponse<String> answer =
                    Http.sendAsync("POST", first.baseUrl() + path, body).join();
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
            ids.add(JSON.readTree(answer.body()).path("id").asLong());
        }
        return ids;
    }

    private static String ids(List<Long> ids) {
        return ids.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private static String sql(String query) throws SQLException {
        return Sql.query(first.jdbcUrl(), query);
    }
}
