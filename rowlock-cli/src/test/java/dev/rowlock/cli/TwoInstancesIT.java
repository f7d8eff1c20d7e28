package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two service processes on one database: what they answer together must be right, not only what each answers alone. */
class TwoInstancesIT {
    /** More than the pool of one instance holds: when so many sessions wait for one row, both instances are waiting. */
    private static final int MORE_THAN_ONE_POOL = 21;

    private static final Pattern QUEUED = Pattern.compile("rowlock_counter_waiting\\{counter=\"balance\"} (\\S+)");

    private static TempDataDir dataDir;
    private static ServerProcess first;
    private static ServerProcess second;

    @BeforeAll
    static void startBoth() {
        dataDir = TempDataDir.create();
        first = ServerProcess.start("--data-dir", dataDir.toString());
        second = ServerProcess.start("--url", first.jdbcUrl());
        warmUp();
    }

    /** First requests are slow: without this, the first ones to wait for a held row could time out before the last ones come. */
    private static void warmUp() {
        List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
        for (int i = 0; i < 2 * MORE_THAN_ONE_POOL; i++) {
            sent.add(post(i, "/wallets", "{\"balance\":1}"));
        }
        sent.forEach(answer -> assertThat(answer.join().statusCode()).isEqualTo(201));
    }

    @AfterAll
    static void stopBoth() {
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

    @Test
    void oneOfAHundredBuyersGetsTheLastUnit() throws Exception {
        String product = create("/products", "{\"name\":\"last one\",\"price\":100,\"stock\":1}");

        List<HttpResponse<String>> answers = whileHeld(
                "product",
                product,
                100,
                TwoInstancesIT::waitInTheDatabase,
                i -> post(i, "/products/" + product + "/reservations", "{\"quantity\":1}"));

        assertThat(statuses(answers)).isEqualTo(Map.of(201, 1L, 409, 99L));
        assertThat(answers)
                .filteredOn(answer -> answer.statusCode() == 409)
                .allSatisfy(answer -> assertThat(answer.body()).contains("out-of-stock", "\"stock\":0"));
        assertThat(sql("SELECT stock FROM product WHERE id = " + product)).isEqualTo("0");
        assertThat(sql("SELECT count(*) FROM reservation WHERE product_id = " + product))
                .isEqualTo("1");
    }

    @Test
    void fiftyOfAHundredChargesEmptyTheWallet() throws Exception {
        String wallet = create("/wallets", "{\"balance\":500}");

        List<HttpResponse<String>> answers = whileHeld(
                "wallet",
                wallet,
                100,
                TwoInstancesIT::havePiledUp,
                i -> post(i, "/wallets/" + wallet + "/charges", "{\"amount\":10}"));

        assertThat(statuses(answers)).isEqualTo(Map.of(200, 50L, 409, 50L));
        assertThat(sql("SELECT balance FROM wallet WHERE id = " + wallet)).isEqualTo("0");
    }

    @Test
    void oppositeTransfersConserveTheMoneyAndNeverDeadlock() throws Exception {
        String one = create("/wallets", "{\"balance\":1000}");
        String other = create("/wallets", "{\"balance\":1000}");
        String deadlocks = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()";
        String before = sql(deadlocks);

        // Both directions from both instances: two bits of the number decide.
        List<HttpResponse<String>> answers = whileHeld("wallet", one, 100, TwoInstancesIT::havePiledUp, i -> {
            boolean there = (i / 2) % 2 == 0;
            String body = "{\"from\":%s,\"to\":%s,\"amount\":7}".formatted(there ? one : other, there ? other : one);
            return post(i, "/transfers", body);
        });

        assertThat(statuses(answers)).isEqualTo(Map.of(200, 100L));
        assertThat(sql("SELECT sum(balance) FROM wallet WHERE id IN (" + one + ", " + other + ")"))
                .isEqualTo("2000");
        assertThat(sql("SELECT balance FROM wallet WHERE id = " + one)).isEqualTo("1000");
        assertThat(sql(deadlocks)).isEqualTo(before);
    }

    @Test
    void oneOfFiftyEditorsOfTheSameVersionIsSaved() throws Exception {
        String product = create("/products", "{\"name\":\"edited\",\"price\":100,\"stock\":1}");

        List<HttpResponse<String>> answers = whileHeld(
                "product",
                product,
                50,
                TwoInstancesIT::waitInTheDatabase,
                i -> Http.sendAsync(
                        "PUT",
                        instance(i) + "/products/" + product,
                        "{\"name\":\"edit " + i + "\",\"price\":" + (200 + i) + ",\"stock\":1}",
                        "If-Match",
                        "\"1\""));

        assertThat(statuses(answers)).isEqualTo(Map.of(200, 1L, 412, 49L));
        HttpResponse<String> saved =
                answers.stream().filter(a -> a.statusCode() == 200).findFirst().orElseThrow();
        assertThat(saved.headers().firstValue("ETag")).hasValue("\"2\"");
        assertThat(saved.body()).contains(sql("SELECT name FROM product WHERE id = " + product));
        assertThat(sql("SELECT version FROM product WHERE id = " + product)).isEqualTo("2");
    }

    /** Sends all requests while the row is held, and lets go once those of both instances have come to it. */
    private static List<HttpResponse<String>> whileHeld(
            String table,
            String id,
            int requests,
            IntPredicate haveCome,
            IntFunction<CompletableFuture<HttpResponse<String>>> request)
            throws SQLException {
        List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
        try (Connection holder = DriverManager.getConnection(first.jdbcUrl());
                Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute("SELECT 1 FROM " + table + " WHERE id = " + id + " FOR UPDATE");
            for (int i = 0; i < requests; i++) {
                sent.add(request.apply(i));
            }
            Awaitility.await("requests of both instances wait for the row")
                    .atMost(Duration.ofSeconds(20))
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> haveCome.test(requests));
            holder.rollback();
        }
        return sent.stream().map(CompletableFuture::join).toList();
    }

    /** Each in a transaction of its own. */
    private static boolean waitInTheDatabase(int requests) {
        return waiting() >= Math.min(requests, MORE_THAN_ONE_POOL);
    }

    /** One of each instance waits for the row, the others for that one, to be combined. */
    private static boolean havePiledUp(int requests) {
        return waiting() == 2 && queued(first) + queued(second) == requests - 2;
    }

    private static int waiting() {
        try {
            return Integer.parseInt(sql("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long queued(ServerProcess instance) {
        Matcher gauge = QUEUED.matcher(Http.getAsync(instance.baseUrl() + "/actuator/prometheus")
                .join()
                .body());
        assertThat(gauge.find()).isTrue();
        return Math.round(Double.parseDouble(gauge.group(1)));
    }

    private static CompletableFuture<HttpResponse<String>> post(int number, String path, String json) {
        return Http.sendAsync("POST", instance(number) + path, json);
    }

    private static String instance(int number) {
        return (number % 2 == 0 ? first : second).baseUrl();
    }

    private static String create(String path, String json) {
        HttpResponse<String> made =
                Http.sendAsync("POST", first.baseUrl() + path, json).join();
        assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
        String location = made.headers().firstValue("Location").orElseThrow();
        return location.substring(location.lastIndexOf('/') + 1);
    }

    private static Map<Integer, Long> statuses(List<HttpResponse<String>> answers) {
        return answers.stream().collect(Collectors.groupingBy(HttpResponse::statusCode, Collectors.counting()));
    }

    private static String sql(String query) throws SQLException {
        return Sql.query(first.jdbcUrl(), query);
    }
}
