package dev.rowlock.watch.trace;

import com.p6spy.engine.spy.P6DataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import javax.sql.DataSource;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;
import shop.Wallets;

/**
 * Measures what watching costs: charges of wallets per second, each a transaction of two statements that is synced to disk, with nothing
 * in between, with the trace, with trace and audit, with datasource-proxy alone, and with P6Spy. Rounds alternate, in another order each
 * time; what is said is the median of the rounds and the two quartiles. No test: run its main method, rounds and seconds of a round as
 * arguments.
 */
final class TraceOverhead {
    private TraceOverhead() {}

    public static void main(String... arguments) throws IOException, SQLException {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 15;
        double seconds = arguments.length > 1 ? Double.parseDouble(arguments[1]) : 2;
        // It has to write somewhere; in memory, as the trace does, it keeps nothing.
        Path log = Files.createTempFile("p6spy", ".log");
        System.setProperty("p6spy.config.logfile", log.toString());
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .start()) {
            DataSource raw = server.getPostgresDatabase();
            try (Connection connection = raw.getConnection()) {
                Wallets.execute(
                        connection,
                        "CREATE TABLE wallet (id int PRIMARY KEY, balance int NOT NULL)",
                        "INSERT INTO wallet SELECT i, 0 FROM generate_series(1, 1000) AS i");
            }
            Map<String, DataSource> ways = new LinkedHashMap<>();
            ways.put("off", raw);
            ways.put("trace", Trace.builder().build().over(raw));
            ways.put(
                    "trace, no callers",
                    Trace.builder().withoutCallers().build().over(raw));
            ways.put(
                    "datasource-proxy",
                    ProxyDataSourceBuilder.create(raw).proxyResultSet().build());
            ways.put("p6spy", new P6DataSource(raw));
            measure(ways, rounds, seconds);
        } finally {
            Files.delete(log);
        }
    }

    private static void measure(Map<String, DataSource> ways, int rounds, double seconds) throws SQLException {
        Map<String, Connection> connections = new LinkedHashMap<>();
        Map<String, List<Double>> rates = new LinkedHashMap<>();
        for (Map.Entry<String, DataSource> way : ways.entrySet()) {
            Connection connection = way.getValue().getConnection();
            connection.setAutoCommit(false);
            connections.put(way.getKey(), connection);
            rates.put(way.getKey(), new ArrayList<>());
            // Until everything is compiled.
            rate(connection, seconds);
        }
        List<String> order = new ArrayList<>(ways.keySet());
        Random random = new Random(1);
        for (int round = 0; round < rounds; round++) {
            Collections.shuffle(order, random);
            for (String way : order) {
                rates.get(way).add(rate(connections.get(way), seconds));
            }
        }
        double off = quantile(rates.get("off"), 0.5);
        rates.forEach((way, of) -> System.out.printf(
                "%-20s %8.0f/s  (%.0f to %.0f)  %.3f of off%n",
                way, quantile(of, 0.5), quantile(of, 0.25), quantile(of, 0.75), quantile(of, 0.5) / off));
        for (Connection connection : connections.values()) {
            connection.close();
        }
    }

    private static double rate(Connection connection, double seconds) throws SQLException {
        long start = System.nanoTime();
        int done = 0;
        while (System.nanoTime() - start < seconds * 1e9) {
            int id = done % 1000 + 1;
            int balance = Wallets.number(connection, "SELECT balance FROM wallet WHERE id = ? FOR NO KEY UPDATE", id);
            Wallets.update(connection, "UPDATE wallet SET balance = ? WHERE id = ?", balance + 1, id);
            connection.commit();
            done++;
        }
        return done / ((System.nanoTime() - start) / 1e9);
    }

    private static double quantile(List<Double> values, double quantile) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.get((int) Math.round((sorted.size() - 1) * quantile));
    }
}
