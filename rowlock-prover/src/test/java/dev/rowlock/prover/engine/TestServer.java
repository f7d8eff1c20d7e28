package dev.rowlock.prover.engine;

import dev.rowlock.prover.scenario.IsolationLevel;
import dev.rowlock.prover.scenario.Scenario;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.jdbc.PreferQueryMode;

/** The one PostgreSQL server of this JVM. */
final class TestServer {
    private static final EmbeddedPostgres SERVER = start();
    private static final AtomicInteger NUMBER = new AtomicInteger();
    static final Explorer.Limits LIMITS =
            new Explorer.Limits(10_000, Duration.ofMinutes(5), Duration.ofSeconds(20), false);

    private TestServer() {}

    private static EmbeddedPostgres start() {
        try {
            return EmbeddedPostgres.builder()
                    .setServerConfig("autovacuum", "off")
                    .setServerConfig("fsync", "off")
                    .setServerConfig("synchronous_commit", "off")
                    .setServerConfig("full_page_writes", "off")
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Connection connect(String schema) throws SQLException {
        PGSimpleDataSource dataSource = (PGSimpleDataSource) SERVER.getPostgresDatabase();
        dataSource.setPreferQueryMode(PreferQueryMode.SIMPLE);
        dataSource.setCurrentSchema(schema);
        return dataSource.getConnection();
    }

    static Report explore(Scenario scenario, Optional<IsolationLevel> level) {
        return explore(scenario, level, LIMITS);
    }

    static Report explore(Scenario scenario, Optional<IsolationLevel> level, Explorer.Limits limits) {
        return explore(scenario, level, limits, schedules -> {});
    }

    static Report explore(
            Scenario scenario, Optional<IsolationLevel> level, Explorer.Limits limits, Progress progress) {
        try (ScenarioRace race =
                new ScenarioRace(scenario, TestServer::connect, "race" + NUMBER.incrementAndGet(), level)) {
            return race.explore(limits, progress);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    static Report replay(Scenario scenario, Optional<IsolationLevel> level, String schedule) {
        try (ScenarioRace race =
                new ScenarioRace(scenario, TestServer::connect, "race" + NUMBER.incrementAndGet(), level)) {
            return race.replay(ScheduleText.read(schedule), LIMITS);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    static WhatIf whatIf() {
        return new WhatIf(TestServer::connect, "race" + NUMBER.incrementAndGet(), LIMITS);
    }
}
