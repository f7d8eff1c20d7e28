package dev.rowlock.spring.meters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.Lock;
import dev.rowlock.Rowlock;
import dev.rowlock.StaleRowException;
import dev.rowlock.Table;
import dev.rowlock.jpa.JpaLocks;
import dev.rowlock.jpa.JpaVersions;
import dev.rowlock.spring.TestApp;
import dev.rowlock.spring.TestDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Conflicts over entities count like those of rows, each once. */
class EntityConflictsTest {
    private static final Table MEMOS = Table.of("memo", "id").withVersion("version");

    private static TestApp app;

    private final EntityManager em = app.bean(EntityManager.class);
    private final TransactionTemplate spring = new TransactionTemplate(app.bean(PlatformTransactionManager.class));
    private Map<String, Integer> before = Map.of();

    @Entity(name = "memo")
    static class Memo {
        @Id
        long id;

        int size;

        @Version
        long version;
    }

    @BeforeAll
    static void start() {
        app = TestApp.start(
                TestDatabase.create(
                        "CREATE TABLE memo (id bigint PRIMARY KEY, size int NOT NULL, version bigint NOT NULL)"),
                Map.of("management.defaults.metrics.export.enabled", "true"));
    }

    @AfterAll
    static void stop() {
        app.close();
    }

    @BeforeEach
    void makeMemo() {
        app.database().sql("TRUNCATE memo", "INSERT INTO memo VALUES (1, 0, 7)");
        before = counts();
    }

    private static Map<String, Integer> counts() {
        Map<String, Integer> counts = new TreeMap<>();
        app.bean(MeterRegistry.class).find("rowlock.conflicts").counters().forEach(counter -> {
            String kind = counter.getId().getTags().stream()
                    .sorted()
                    .map(Tag::getValue)
                    .reduce((a, b) -> a + " " + b)
                    .orElse("");
            counts.put(kind, (int) counter.count());
        });
        return counts;
    }

    private Map<String, Integer> counted() {
        Map<String, Integer> counted = counts();
        before.forEach((kind, count) -> counted.merge(kind, -count, Integer::sum));
        counted.values().removeIf(count -> count == 0);
        return counted;
    }

    private void changeTooLate() {
        em.find(Memo.class, 1L).size = 5;
        app.database().sql("UPDATE memo SET version = 8");
    }

    @Test
    void commitOfAStaleEntity() {
        assertThatThrownBy(() -> spring.executeWithoutResult(status -> changeTooLate()))
                .isInstanceOf(OptimisticLockingFailureException.class);
        assertThat(counted()).isEqualTo(Map.of("stale memo", 1));
    }

    @Test
    void flushOfAStaleEntity() {
        assertThatThrownBy(() -> spring.executeWithoutResult(status -> {
                    changeTooLate();
                    JpaVersions.over(em).flush();
                }))
                .isInstanceOf(StaleRowException.class);
        assertThat(counted()).isEqualTo(Map.of("stale memo", 1));
    }

    @Test
    void entityThatSomebodyHolds() {
        assertThatThrownBy(() -> spring.executeWithoutResult(holding -> {
                    JpaLocks.over(em).lock(Memo.class, 1L);
                    TransactionTemplate other = new TransactionTemplate(app.bean(PlatformTransactionManager.class));
                    other.setPropagationBehavior(TransactionTemplate.PROPAGATION_REQUIRES_NEW);
                    other.executeWithoutResult(status -> JpaLocks.over(em)
                            .lock(Memo.class, 1L, Lock.forNoKeyUpdate().noWait()));
                }))
                .hasMessageContaining("memo");
        assertThat(counted()).isEqualTo(Map.of("lock-not-available memo", 1));
    }

    /** In a transaction of JPA's, but Rowlock's own statement: it has told already. */
    @Test
    void rowOfAUnitOfWorkCountsOnce() {
        assertThatThrownBy(() -> spring.executeWithoutResult(status -> app.bean(Rowlock.class)
                        .run(tx -> tx.update(MEMOS, 1)
                                .set("size", 5)
                                .ifVersion(6)
                                .apply()
                                .orThrow())))
                .isInstanceOf(StaleRowException.class);
        assertThat(counted()).isEqualTo(Map.of("stale memo", 1));
    }
}
