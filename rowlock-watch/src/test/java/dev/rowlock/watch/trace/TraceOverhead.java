package dev.rowlock.watch.trace;

import com.p6spy.engine.spy.P6DataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
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
 * Measures what watching costs: charges of wallets, each a transaction of two statements that is synced to disk, with nothing in between,
 * with the trace, with trace and audit, with datasource-proxy alone, and with P6Spy. They take turns of ten transactions, in another order
 * each time; what is said is the median of a transaction and the two quartiles, and the time on the processor. No test: run its main
 * method, with the seconds that it may take as argument.
 */
final class TraceOverhead {
    private static final int WARM_UP = 2_000;
    private static final int BLOCK = 10;
    private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

    private TraceOverhead() {}

    public static void main(String... arguments) throws IOException, SQLException {
        int seconds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 60;
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
            measure(ways, seconds);
        } finally {
            Files.delete(log);
        }
    }

    private static void measure(Map<String, DataSource> ways, int seconds) throws SQLException {
        Map<String, Connection> connections = new LinkedHashMap<>();
        Map<String, List<Long>> nanos = new LinkedHashMap<>();
        Map<String, Long> cpu = new LinkedHashMap<>();
        for (Map.Entry<String, DataSource> way : ways.entrySet()) {
            Connection connection = way.getValue().getConnection();
            connection.setAutoCommit(false);
            connections.put(way.getKey(), connection);
            // Until everything is compiled.
            for (int i = 0; i < WARM_UP; i++) {
                charge(connection, i);
            }
            nanos.put(way.getKey(), new ArrayList<>());
            cpu.put(way.getKey(), 0L);
        }
        List<String> order = new ArrayList<>(ways.keySet());
        Random random = new Random(1);
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() < end) {
            Collections.shuffle(order, random);
            for (String way : order) {
                long cpuBefore = CPU.getCurrentThreadCpuTime();
                for (int i = 0; i < BLOCK; i++) {
                    long start = System.nanoTime();
                    charge(connections.get(way), i);
                    nanos.get(way).add(System.nanoTime() - start);
                }
                cpu.merge(way, CPU.getCurrentThreadCpuTime() - cpuBefore, Long::sum);
            }
        }
        double off = quantile(nanos.get("off"), 0.5);
        nanos.forEach((way, of) -> System.out.printf(
                "%-20s %6.0f us (%.0f to %.0f)  %.3f of the speed of off  %4.0f us of CPU in the client  n=%d%n",
                way,
                quantile(of, 0.5),
                quantile(of, 0.25),
                quantile(of, 0.75),
                off / quantile(of, 0.5),
                cpu.get(way) / 1e3 / of.size(),
                of.size()));
        for (Connection connection : connections.values()) {
            connection.close();
        }
    }

    private static void charge(Connection connection, int number) throws SQLException {
        int id = number % 1000 + 1;
        int balance = Wallets.number(connection, "SELECT balance FROM wallet WHERE id = ? FOR NO KEY UPDATE", id);
        Wallets.update(connection, "UPDATE wallet SET balance = ? WHERE id = ?", balance + 1, id);
        connection.commit();
    }

    /** In microseconds. */
    private static double quantile(List<Long> nanos, double quantile) {
        List<Long> sorted = nanos.stream().sorted().toList();
        return sorted.get((int) Math.round((sorted.size() - 1) * quantile)) / 1e3;
    }
}
