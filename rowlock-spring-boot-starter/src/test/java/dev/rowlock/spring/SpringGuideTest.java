package dev.rowlock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.jayway.jsonpath.JsonPath;
import dev.rowlock.RefusedWriteException;
import dev.rowlock.Row;
import dev.rowlock.Rowlock;
import dev.rowlock.RowlockSchema;
import dev.rowlock.Table;
import dev.rowlock.spring.http.EntityTags;
import dev.rowlock.spring.idempotency.IdempotencyScope;
import dev.rowlock.spring.idempotency.Idempotent;
import dev.rowlock.spring.retry.RetryOnConflict;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** The examples and the table of docs/spring.md, as they stand there, and what they claim. */
class SpringGuideTest {
    private static final Path SOURCE =
            Path.of("../rowlock-spring-boot-starter/src/test/java/dev/rowlock/spring/SpringGuideTest.java");
    private static TestApp app;
    private static Http http;

    // guide: begin
    @Service
    static class Wallets {
        private static final Table WALLETS = Table.of("wallet", "id").withVersion("version");
        private final Rowlock rowlock;
        private final JdbcTemplate jdbc;

        Wallets(Rowlock rowlock, JdbcTemplate jdbc) {
            this.rowlock = rowlock;
            this.jdbc = jdbc;
        }

        /** One transaction: the charge and the entry are both there, or neither is. A deadlock runs all of it again. */
        @RetryOnConflict
        @Transactional
        public long charge(long id, long amount) {
            jdbc.update("INSERT INTO entry (wallet_id, amount) VALUES (?, ?)", id, -amount);
            Row wallet = rowlock.update(WALLETS, id)
                    .add("balance", -amount)
                    .onlyIf("balance >= ?", amount)
                    .apply()
                    .orThrow();
            return wallet.getLong("balance");
        }

        /** Only the version that was read can be edited. */
        @Transactional
        public Row rename(long id, String name, long version) {
            return rowlock.update(WALLETS, id)
                    .set("name", name)
                    .ifVersion(version)
                    .apply()
                    .orThrow();
        }
    }

    @RestController
    static class WalletController {
        private final Wallets wallets;
        private final JdbcTemplate jdbc;

        WalletController(Wallets wallets, JdbcTemplate jdbc) {
            this.wallets = wallets;
            this.jdbc = jdbc;
        }

        /** The transaction that keeps the answer has the payment too; it is run again as a whole if it loses. */
        @Idempotent
        @PostMapping("/payments")
        ResponseEntity<Map<String, Object>> pay(@RequestBody Map<String, Integer> payment) {
            jdbc.update("INSERT INTO entry (wallet_id, amount) VALUES (?, ?)", 1, payment.get("amount"));
            return ResponseEntity.status(201).body(Map.of("paid", payment.get("amount")));
        }

        /** If-Match is required: 428 without it, 400 if it cannot be read, 412 if somebody was faster. */
        @PutMapping("/wallets/{id}/name")
        ResponseEntity<String> rename(
                @PathVariable("id") long id, EntityTags ifMatch, @RequestBody Map<String, String> body) {
            Row wallet = wallets.rename(id, body.get("name"), ifMatch.version());
            return ResponseEntity.ok().eTag(EntityTags.tag(wallet.version())).body(wallet.getString("name"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Keys {
        /** A tenant's keys are its own. */
        @Bean
        IdempotencyScope idempotencyScope() {
            return request -> request.getHeader("X-Tenant") + " " + request.getRequestURI();
        }
    }
    // guide: end

    @BeforeAll
    static void start() {
        app = TestApp.jdbc(
                TestDatabase.create(
                        "CREATE TABLE wallet (id bigint PRIMARY KEY, name text, balance bigint NOT NULL, version bigint NOT"
                                + " NULL DEFAULT 1)",
                        "CREATE TABLE entry (wallet_id bigint NOT NULL, amount bigint NOT NULL)"),
                Map.of("test.web", "true", "rowlock.http.problems.enabled", "true"),
                Wallets.class,
                WalletController.class,
                Keys.class);
        RowlockSchema.install(app.bean(Rowlock.class));
        http = new Http(app.port());
    }

    @AfterAll
    static void stop() {
        app.close();
    }

    @BeforeEach
    void makeWallet() {
        app.database().sql("TRUNCATE wallet, entry", "INSERT INTO wallet VALUES (1, 'mine', 100)");
    }

    private static String guide() throws IOException {
        return Files.readString(Path.of("../docs/spring.md")).replace("\r\n", "\n");
    }

    @Test
    void examplesStandInTheGuideToTheLetter() throws IOException {
        String source = Files.readString(SOURCE).replace("\r\n", "\n");
        String begin = "    // guide: begin\n";
        String snippet = source.substring(source.indexOf(begin) + begin.length(), source.indexOf("    // guide: end"));

        assertThat(guide()).contains("```java\n" + snippet.replaceAll("(?m)^    ", "") + "```");
    }

    @Test
    void chargeAndEntryAreOneTransaction() {
        assertThat(app.bean(Wallets.class).charge(1, 80)).isEqualTo(20);
        assertThatThrownBy(() -> app.bean(Wallets.class).charge(1, 80)).isInstanceOf(RefusedWriteException.class);
        assertThat(app.database().number("SELECT count(*) FROM entry")).isEqualTo(1);
    }

    @Test
    void paymentIsMadeOnceForItsKey() {
        String key = "\"k-1\"";
        assertThat(http.send("POST", "/payments", "{\"amount\":5}", "Idempotency-Key", key)
                        .status())
                .isEqualTo(201);
        assertThat(http.send("POST", "/payments", "{\"amount\":5}", "Idempotency-Key", key)
                        .header("Idempotent-Replayed"))
                .isEqualTo("true");
        assertThat(app.database().number("SELECT count(*) FROM entry")).isEqualTo(1);
    }

    @Test
    void renameNeedsTheVersionThatWasRead() {
        String body = "{\"name\":\"ours\"}";
        assertThat(http.send("PUT", "/wallets/1/name", body).status()).isEqualTo(428);
        assertThat(http.send("PUT", "/wallets/1/name", body, "If-Match", "\"1\"")
                        .header("ETag"))
                .isEqualTo("\"2\"");
        assertThat(http.send("PUT", "/wallets/1/name", body, "If-Match", "\"1\"")
                        .status())
                .isEqualTo(412);
    }

    /** Each property of the starter has a row with its default, and no row is of none. */
    @Test
    void tableOfPropertiesIsThatOfTheMetadata() throws IOException {
        Map<String, String> rows = new TreeMap<>();
        Matcher row = Pattern.compile("(?m)^\\| `(rowlock\\.[a-z.-]+)` \\| `([^`]+)` \\|")
                .matcher(guide());
        while (row.find()) {
            rows.put(row.group(1), row.group(2));
        }
        Map<String, String> properties = new TreeMap<>();
        List<Map<String, Object>> metadata = JsonPath.read(metadata(), "$.properties[*]");
        metadata.stream()
                .filter(property -> property.get("name").toString().startsWith("rowlock."))
                .forEach(property -> {
                    assertThat(property.get("description"))
                            .as(property.toString())
                            .isNotNull();
                    properties.put(
                            property.get("name").toString(),
                            property.get("defaultValue").toString());
                });
        assertThat(properties).hasSizeGreaterThan(20);
        assertThat(rows).isEqualTo(properties);
    }

    private static String metadata() throws IOException {
        List<String> own = new ArrayList<>();
        for (URL url : Collections.list(
                SpringGuideTest.class.getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))) {
            try (InputStream in = url.openStream()) {
                String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
                if (text.contains("dev.rowlock.spring.RowlockProperties")) {
                    own.add(text);
                }
            }
        }
        assertThat(own).hasSize(1);
        return own.get(0);
    }
}
