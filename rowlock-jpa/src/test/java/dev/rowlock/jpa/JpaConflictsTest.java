package dev.rowlock.jpa;

import static dev.rowlock.jpa.JpaDatabase.sql;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.Lock;
import dev.rowlock.RowlockListener;
import dev.rowlock.jpa.Entities.Parent;
import dev.rowlock.jpa.Entities.Product;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each collision over an entity is told once, with its table. */
class JpaConflictsTest extends JpaTest {
    private static final List<String> TOLD = new CopyOnWriteArrayList<>();

    private static EntityManagerFactory factory;

    @BeforeAll
    static void open() {
        RowlockListener listener = new RowlockListener() {
            @Override
            public void onConflict(Conflict conflict) {
                TOLD.add(conflict.table().name().toLowerCase(Locale.ROOT) + " " + conflict.kind());
                throw new IllegalStateException("a broken meter changes no outcome");
            }
        };
        factory = JpaDatabase.factory(JpaDatabase.dataSource(), Map.of(RowlockIntegrator.LISTENER, listener));
    }

    @AfterAll
    static void close() {
        factory.close();
    }

    @BeforeEach
    void rows() {
        TOLD.clear();
        sql(
                "INSERT INTO Product (id, stock, code, version) VALUES (1, 3, 'A-1', 7)",
                "INSERT INTO Parent (id, name, version) VALUES (1, 'p', 4)");
    }

    private static void fails(Consumer<EntityManager> work) {
        assertThatThrownBy(() -> JpaDatabase.call(factory, em -> {
                    work.accept(em);
                    return "done";
                }))
                .isNotInstanceOf(AssertionError.class);
    }

    private static void changeTooLate(EntityManager em) {
        em.find(Product.class, 1L).stock = 2;
        sql("UPDATE Product SET version = version + 1");
    }

    @Test
    void commitOfAStaleEntity() {
        fails(JpaConflictsTest::changeTooLate);
        assertThat(TOLD).containsExactly("product STALE");
    }

    @Test
    void flushOfAStaleEntityThatIsTranslated() {
        fails(em -> {
            changeTooLate(em);
            JpaVersions.over(em).flush();
        });
        assertThat(TOLD).containsExactly("product STALE");
    }

    @Test
    void queryThatFlushesAStaleEntity() {
        fails(em -> {
            changeTooLate(em);
            em.createQuery("SELECT p FROM Product p").getResultList();
        });
        assertThat(TOLD).containsExactly("product STALE");
    }

    @Test
    void versionThatTheClientHadRead() {
        fails(em -> JpaVersions.over(em).ifVersion(Product.class, 1L, 6L));
        fails(em -> JpaVersions.over(em).ifVersion(Product.class, 2L, 6L));
        assertThat(TOLD).containsExactly("product STALE", "product MISSING");
    }

    @Test
    void touchOfAStaleEntity() {
        fails(em -> {
            Parent parent = em.find(Parent.class, 1L);
            sql("UPDATE Parent SET version = 5");
            JpaVersions.over(em).touch(parent);
        });
        assertThat(TOLD).containsExactly("parent STALE");
    }

    @Test
    void rowThatIsHeldOrMissing() {
        try (Other other = new Other("UPDATE Product SET stock = 1")) {
            fails(em ->
                    JpaLocks.over(em).lock(Product.class, 1L, Lock.forUpdate().noWait()));
            fails(em -> JpaLocks.over(em)
                    .lockWhere(
                            Product.class,
                            "SELECT p FROM Product p",
                            Map.of(),
                            Lock.forUpdate().noWait()));
            fails(em -> JpaLocks.over(em).lock(Product.class, 2L));
            fails(em -> {
                em.createNativeQuery("SET LOCAL lock_timeout = 1").executeUpdate();
                em.find(Product.class, 1L).stock = 5;
            });
            other.commit();
        }
        assertThat(TOLD)
                .containsExactly(
                        "product LOCK_NOT_AVAILABLE",
                        "product LOCK_NOT_AVAILABLE",
                        "product MISSING",
                        "product LOCK_TIMEOUT");
    }

    /** The flush before the query meets it, and the lock passes it on. */
    @Test
    void flushInsideOfALock() {
        try (Other other = new Other("UPDATE Product SET stock = 1")) {
            fails(em -> {
                em.createNativeQuery("SET LOCAL lock_timeout = 1").executeUpdate();
                em.find(Product.class, 1L).stock = 5;
                JpaLocks.over(em)
                        .withLockTimeoutOfTheSession()
                        .lockWhere(
                                Parent.class,
                                "SELECT p FROM Parent p WHERE EXISTS (SELECT 1 FROM Product q)",
                                Map.of(),
                                Lock.forUpdate());
            });
            other.commit();
        }
        assertThat(TOLD).containsExactly("product LOCK_TIMEOUT");
    }

    @Test
    void whatSucceedsOrIsNoConflictTellsNothing() {
        JpaDatabase.call(factory, em -> em.find(Product.class, 1L).stock = 5);
        fails(em -> em.createNativeQuery("SELECT 1 / 0").getResultList());
        assertThat(TOLD).isEmpty();
    }
}
