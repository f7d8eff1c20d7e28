package dev.rowlock.jpa;

import static dev.rowlock.jpa.JpaDatabase.call;
import static dev.rowlock.jpa.JpaDatabase.run;
import static dev.rowlock.jpa.JpaDatabase.sql;
import static dev.rowlock.jpa.JpaDatabase.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.rowlock.MissingRowException;
import dev.rowlock.StaleRowException;
import dev.rowlock.jpa.Entities.Account;
import dev.rowlock.jpa.Entities.Parent;
import dev.rowlock.jpa.Entities.Product;
import jakarta.persistence.RollbackException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A change is held against the version that the client had read. */
class JpaVersionsTest extends JpaTest {
    @BeforeEach
    void products() {
        sql("INSERT INTO Product (id, stock, code, version) VALUES (1, 3, 'A-1', 7)");
    }

    private static StaleRowException stale(Runnable work) {
        return catchThrowableOfType(StaleRowException.class, work::run);
    }

    @Test
    void versionThatTheClientHadReadIsRaised() {
        run(em -> JpaVersions.over(em).ifVersion(Product.class, 1L, 7L).stock = 2);
        assertThat(value("SELECT stock || '/' || version FROM Product")).isEqualTo("2/8");
    }

    @Test
    void anotherVersionIsStaleWithTheCurrentRow() {
        StaleRowException stale = stale(() -> run(em -> JpaVersions.over(em).ifVersion(Product.class, 1L, 6L)));

        assertThat(stale.expectedVersion()).isEqualTo(6);
        assertThat(stale.currentVersion()).isEqualTo(7);
        assertThat(stale.current().getLong("stock")).isEqualTo(3);
        assertThat(stale.table().name()).isEqualTo("Product");
    }

    @Test
    void nothingAtAllIsMissing() {
        assertThatThrownBy(() -> run(em -> JpaVersions.over(em).ifVersion(Product.class, 5L, 1L)))
                .isInstanceOf(MissingRowException.class);
    }

    @Test
    void requestWithoutAVersionAndEntityWithoutOneAreRefused() {
        run(em -> {
            JpaDatabase.SENT.clear();
            JpaVersions versions = JpaVersions.over(em);
            assertThatThrownBy(() -> versions.ifVersion(Product.class, 1L, null))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("no version");
            assertThatThrownBy(() -> versions.ifVersion(Account.class, 1L, 1L))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Account has no @Version");
            assertThat(JpaDatabase.SENT).isEmpty();
        });
    }

    /** What the attribute says is no proof of anything. */
    @Test
    void managedEntityCountsWithTheVersionItWasLoadedWith() {
        run(em -> {
            Product product = em.find(Product.class, 1L);
            product.version = 6;
            assertThatThrownBy(() -> JpaVersions.over(em).ifVersion(product, 6L))
                    .isInstanceOf(StaleRowException.class);
            em.clear();
        });
    }

    /** The pitfall: the client's version is lost without a word, and with it what somebody else had written. */
    @Test
    void hibernateIgnoresAVersionThatIsCopiedOntoAManagedEntity() {
        run(em -> {
            Product product = em.find(Product.class, 1L);
            product.version = 2; // as the client had sent it: five versions behind
            product.stock = 99;
        });
        assertThat(value("SELECT stock || '/' || version FROM Product")).isEqualTo("99/8");
    }

    @Test
    void flushThatComesTooLateIsStale() {
        StaleRowException stale = stale(() -> run(em -> {
            JpaVersions.over(em).ifVersion(Product.class, 1L, 7L).stock = 2;
            sql("UPDATE Product SET stock = 1, version = 8");
            JpaVersions.over(em).flush();
        }));
        assertThat(stale.currentVersion()).isEqualTo(8);
        assertThat(stale.expectedVersion()).isEqualTo(7);
        assertThat(stale.current().getLong("stock")).isEqualTo(1);
    }

    @Test
    void flushOfWhatWasDeletedIsMissing() {
        assertThatThrownBy(() -> run(em -> {
                    JpaVersions.over(em).ifVersion(Product.class, 1L, 7L).stock = 2;
                    sql("DELETE FROM Product");
                    JpaVersions.over(em).flush();
                }))
                .isInstanceOf(MissingRowException.class);
    }

    @Test
    void commitThatComesTooLateIsTranslatedAfterwards() {
        RollbackException failure = catchThrowableOfType(
                RollbackException.class,
                () -> run(em -> {
                    em.find(Product.class, 1L).stock = 2;
                    sql("UPDATE Product SET stock = 1, version = 8");
                }));
        assertThat(JpaVersions.translate(failure, JpaDatabase.factory()))
                .get()
                .isInstanceOfSatisfying(
                        StaleRowException.class,
                        stale -> assertThat(stale.currentVersion()).isEqualTo(8));
        sql("DELETE FROM Product");
        assertThat(JpaVersions.translate(failure, JpaDatabase.factory())).get().isInstanceOf(MissingRowException.class);
        assertThat(JpaVersions.translate(new IllegalStateException("other"), JpaDatabase.factory()))
                .isEmpty();
    }

    @Test
    void touchedParentIsRaisedAtOnceAndOnce() {
        sql("INSERT INTO Parent (id, name, version) VALUES (1, 'p', 4)", "INSERT INTO Child VALUES (5, 1, 'c')");
        long version = call(em -> {
            Parent parent = em.find(Parent.class, 1L);
            parent.children.get(0).name = "d";
            em.flush();
            JpaVersions.over(em).touch(parent);
            return parent.version;
        });
        assertThat(version).isEqualTo(5);
        assertThat(value("SELECT version FROM Parent")).isEqualTo("5");
    }

    @Test
    void touchOfAStaleParentIsStale() {
        sql("INSERT INTO Parent (id, name, version) VALUES (1, 'p', 4)");
        StaleRowException stale = stale(() -> run(em -> {
            Parent parent = em.find(Parent.class, 1L);
            sql("UPDATE Parent SET version = 5");
            JpaVersions.over(em).touch(parent);
        }));
        assertThat(stale.currentVersion()).isEqualTo(5);
    }
}
