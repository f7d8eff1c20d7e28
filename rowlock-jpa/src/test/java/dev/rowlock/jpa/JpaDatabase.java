package dev.rowlock.jpa;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.hibernate.resource.jdbc.spi.StatementInspector;

/** One PostgreSQL server and one session factory for all tests of this JVM. Deadlocks are found after 50 ms there. */
final class JpaDatabase {
    /** What every session factory of these tests has sent through Hibernate: the user's own inspector. */
    static final List<String> SENT = new CopyOnWriteArrayList<>();

    private static final EmbeddedPostgres SERVER = start();
    private static final HikariDataSource POOL = pool();
    private static final EntityManagerFactory FACTORY = factory(POOL, Map.of("hibernate.hbm2ddl.auto", "create"));

    private JpaDatabase() {}

    /** Remembers, and changes nothing. */
    static final class Remembering implements StatementInspector {
        private static final long serialVersionUID = 1L;

        @Override
        public String inspect(String sql) {
            SENT.add(sql);
            return sql;
        }
    }

    private static EmbeddedPostgres start() {
        try {
            return EmbeddedPostgres.builder()
                    .setServerConfig("deadlock_timeout", "50ms")
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static HikariDataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setDataSource(SERVER.getPostgresDatabase());
        config.setMaximumPoolSize(8);
        return new HikariDataSource(config);
    }

    static EntityManagerFactory factory(DataSource dataSource, Map<String, ?> settings) {
        Map<String, Object> all = new HashMap<>();
        all.put("hibernate.loaded_classes", Entities.ALL);
        all.put("jakarta.persistence.nonJtaDataSource", dataSource);
        all.put("hibernate.session_factory.statement_inspector", new Remembering());
        all.putAll(settings);
        return Persistence.createEntityManagerFactory("test", all);
    }

    static EntityManagerFactory factory() {
        return FACTORY;
    }

    static DataSource dataSource() {
        return POOL;
    }

    /** Empties all tables. */
    static void clear() {
        sql("""
                DO $$
                BEGIN
                  EXECUTE (SELECT 'TRUNCATE ' || string_agg(format('%I', tablename), ', ')
                           FROM pg_tables
                           WHERE schemaname = 'public');
                END $$""");
        SENT.clear();
    }

    static void run(Consumer<EntityManager> work) {
        call(em -> {
            work.accept(em);
            return "done";
        });
    }

    static <T> T call(Function<EntityManager, T> work) {
        return call(FACTORY, work);
    }

    /** In a transaction, which is committed unless something is thrown or it was ended already. */
    static <T> T call(EntityManagerFactory factory, Function<EntityManager, T> work) {
        try (EntityManager em = factory.createEntityManager()) {
            em.getTransaction().begin();
            try {
                T result = work.apply(em);
                if (em.getTransaction().isActive()) {
                    em.getTransaction().commit();
                }
                return result;
            } catch (Throwable failure) {
                rollBack(em, failure);
                throw failure;
            }
        }
    }

    private static void rollBack(EntityManager em, Throwable failure) {
        try {
            if (em.getTransaction().isActive()) {
                em.getTransaction().rollback();
            }
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    /** Each in a transaction of its own, on a connection of its own. */
    static void sql(String... statements) {
        try (Connection connection = SERVER.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The first column of the first row. */
    static String value(String query) {
        try (Connection connection = SERVER.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            return result.next() ? result.getString(1) : "no row";
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether a writer who does not wait finds this row locked. */
    static boolean isLocked(String table, String condition) {
        return !value("SELECT count(*) FROM (SELECT 1 FROM " + table + " WHERE " + condition
                        + " FOR NO KEY UPDATE SKIP LOCKED) AS free")
                .equals(value("SELECT count(*) FROM " + table + " WHERE " + condition));
    }

    /** Returns once a session waits for a lock that another one holds, which must be this one. */
    static void awaitBlocked(Future<?> waiting) {
        awaitBlockedOrDone(waiting);
        if (waiting.isDone()) {
            throw new AssertionError("it did not wait: " + waiting);
        }
    }

    static void awaitBlockedOrDone(Future<?> waiting) {
        Awaitility.await("a session that waits for a lock")
                .atMost(Duration.ofSeconds(20))
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> waiting.isDone()
                        || value("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
                                .equals("1"));
    }
}
