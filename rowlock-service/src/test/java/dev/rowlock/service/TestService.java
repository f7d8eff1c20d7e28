package dev.rowlock.service;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** A running service on a database of its own, reached over real HTTP. */
final class TestService implements AutoCloseable {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final TestDatabase database;
    private final ConfigurableApplicationContext context;

    private TestService(TestDatabase database, ConfigurableApplicationContext context) {
        this.database = database;
        this.context = context;
    }

    /** With limits long enough for a slow machine, unless other properties say so. */
    static TestService start(Map<String, String> other) {
        TestDatabase database = TestDatabase.create();
        Map<String, String> all = new LinkedHashMap<>(Map.of(
                "server.port", "0",
                "spring.datasource.url", database.url(),
                "spring.datasource.hikari.minimum-idle", "0",
                "spring.datasource.hikari.connection-timeout", "30000",
                "rowlock.lock-timeout", "30s",
                "rowlock.statement-timeout", "30s"));
        all.putAll(other);
        ConfigurableApplicationContext context = new SpringApplicationBuilder(ServiceApplication.class)
                .run(all.entrySet().stream().map(property -> "--" + property).toArray(String[]::new));
        return new TestService(database, context);
    }

    /** The one that all tests use which need no other limits; ends with the JVM. */
    static TestService shared() {
        return Shared.SERVICE;
    }

    private static final class Shared {
        private static final TestService SERVICE = start(Map.of());
    }

    TestDatabase database() {
        return database;
    }

    int port() {
        return ((WebServerApplicationContext) context).getWebServer().getPort();
    }

    Answer get(String path, String... headers) {
        return send("GET", path, BodyPublishers.noBody(), headers);
    }

    /** Sends JSON. */
    Answer post(String path, String json) {
        return json("POST", path, json);
    }

    /** Sends JSON, with further headers as names and values in turn. */
    Answer json(String method, String path, String json, String... headers) {
        List<String> all = new ArrayList<>(List.of("Content-Type", "application/json"));
        all.addAll(List.of(headers));
        return send(method, path, BodyPublishers.ofString(json), all.toArray(String[]::new));
    }

    Answer send(String method, String path, BodyPublisher body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .timeout(LIMIT)
                .method(method, body);
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return new Answer(HTTP.send(request.build(), BodyHandlers.ofString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A new wallet's id. */
    long wallet(long balance) {
        return post("/wallets", "{\"balance\":" + balance + "}").number("id");
    }

    /** A new product's id; it has version 1. */
    long product(String name, long price, long stock) {
        return post("/products", "{\"name\":\"%s\",\"price\":%d,\"stock\":%d}".formatted(name, price, stock))
                .number("id");
    }

    long balance(long wallet) {
        return get("/wallets/" + wallet).number("balance");
    }

    /** Returns once this many requests wait for their row in the counter, and the sessions that they wait for in the database. */
    void awaitPiledUp(String counter, int requests, int sessions) {
        Awaitility.await(requests + " requests that wait for a row of the counter " + counter)
                .atMost(LIMIT)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> get("/actuator/prometheus")
                        .body()
                        .contains("rowlock_counter_waiting{counter=\"" + counter + "\"} " + requests + ".0"));
        database.awaitBlocked(sessions);
    }

    /** Takes every connection out of the pool. */
    Borrowed borrowAllConnections() {
        List<Connection> connections = new ArrayList<>();
        try {
            HikariDataSource pool = context.getBean(DataSource.class).unwrap(HikariDataSource.class);
            for (int i = 0; i < pool.getMaximumPoolSize(); i++) {
                connections.add(pool.getConnection());
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return new Borrowed(connections);
    }

    /** Connections that nobody else can have until this is closed. */
    record Borrowed(List<Connection> connections) implements AutoCloseable {
        @Override
        public void close() {
            for (Connection connection : connections) {
                try {
                    connection.close();
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    @Override
    public void close() {
        context.close();
        database.close();
    }
}
