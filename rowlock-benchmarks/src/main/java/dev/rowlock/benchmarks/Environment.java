package dev.rowlock.benchmarks;

import java.sql.SQLException;
import java.time.LocalDate;
import java.time.ZoneOffset;

/**
 * Where and how was measured: without it no figure means anything.
 *
 * @param settings the server's that matter
 */
record Environment(
        String date, String java, String system, int processors, String server, String settings, Bench.Plan plan) {
    static Environment of(Database database, Bench.Plan plan) throws SQLException {
        return new Environment(
                LocalDate.now(ZoneOffset.UTC).toString(),
                System.getProperty("java.vm.name") + " " + Runtime.version(),
                System.getProperty("os.name") + " " + System.getProperty("os.arch"),
                Runtime.getRuntime().availableProcessors(),
                "PostgreSQL " + database.text("SHOW server_version"),
                database.text(
                        "SELECT string_agg(name || ' ' || setting, ', ' ORDER BY name) FROM pg_settings WHERE name IN"
                                + " ('fsync', 'synchronous_commit', 'full_page_writes', 'max_wal_size', 'shared_buffers')"),
                plan);
    }

    String machine() {
        return server + " (" + settings + "), " + java + ", " + system + " with " + processors
                + " processors for client and server together";
    }

    String words() {
        return machine() + "; " + plan.repeats() + " repeats in turns of "
                + plan.trial().toMillis() + " ms behind " + plan.warmUp().toMillis() + " ms to warm up";
    }
}
