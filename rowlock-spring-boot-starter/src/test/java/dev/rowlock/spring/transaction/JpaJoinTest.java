package dev.rowlock.spring.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.Rowlock;
import dev.rowlock.Table;
import dev.rowlock.spring.TestApp;
import dev.rowlock.spring.TestDatabase;
import jakarta.persistence.EntityManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionTemplate;

/** A unit of work inside a transaction of JPA's runs on the connection of the session. */
class JpaJoinTest {
    private static final Table NOTES = Table.of("note", "id");

    private static TestApp app;

    private final Rowlock rowlock = app.bean(Rowlock.class);
    private final EntityManager entities = app.bean(EntityManager.class);
    private final TransactionTemplate spring = new TransactionTemplate(app.bean(PlatformTransactionManager.class));

    @BeforeAll
    static void start() {
        app = TestApp.start(
                TestDatabase.create("CREATE TABLE note (id bigint PRIMARY KEY, size int NOT NULL)"), Map.of());
        assertThat(app.bean(PlatformTransactionManager.class)).isInstanceOf(JpaTransactionManager.class);
    }

    @AfterAll
    static void stop() {
        app.close();
    }

    @BeforeEach
    void makeNote() {
        app.database().sql("TRUNCATE note", "INSERT INTO note VALUES (1, 0)");
    }

    private long size() {
        return app.database().number("SELECT size FROM note WHERE id = 1");
    }

    @Test
    void unitOfWorkAndEntityManagerWriteInOneTransaction() {
        spring.executeWithoutResult(status -> {
            entities.createNativeQuery("UPDATE note SET size = 4").executeUpdate();
            rowlock.run(tx -> tx.update(NOTES, 1).add("size", 1).apply().orThrow());
            assertThat(size()).isZero();
        });
        assertThat(size()).isEqualTo(5);
    }

    @Test
    void caughtFailureLeavesTheTransactionOfJpaToBeRolledBack() {
        assertThatThrownBy(() -> spring.executeWithoutResult(status -> {
                    entities.createNativeQuery("UPDATE note SET size = 4").executeUpdate();
                    assertThatThrownBy(() -> rowlock.run(tx -> {
                                throw new IllegalArgumentException("no");
                            }))
                            .hasMessage("no");
                }))
                .isInstanceOf(UnexpectedRollbackException.class);
        assertThat(size()).isZero();
    }

    @Test
    void workForAfterTheCommitIsDoneAfterTheCommitOfJpa() {
        List<Long> sizes = new ArrayList<>();
        spring.executeWithoutResult(status -> rowlock.run(tx -> {
            tx.update(NOTES, 1).set("size", 5).apply().orThrow();
            tx.afterCommit(() -> sizes.add(size()));
        }));
        assertThat(sizes).containsExactly(5L);
    }
}
