package dev.rowlock.jpa;

import static dev.rowlock.jpa.JpaDatabase.isLocked;
import static dev.rowlock.jpa.JpaDatabase.run;
import static dev.rowlock.jpa.JpaDatabase.sql;
import static dev.rowlock.jpa.JpaDatabase.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.rowlock.Lock;
import dev.rowlock.jpa.Entities.Account;
import dev.rowlock.jpa.Entities.Basket;
import dev.rowlock.jpa.Entities.Parent;
import dev.rowlock.jpa.Entities.Product;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Changes from before the lock are neither lost nor written: they are an error. */
class PendingChangesTest extends JpaTest {
    @Test
    void changedAttributesAreNamed() {
        sql("INSERT INTO Account VALUES (100, 1, 'open')");
        run(em -> {
            Account account = em.find(Account.class, 1L);
            account.balance = 20;
            account.status = "closed";
            DirtyEntityException dirty = catchThrowableOfType(
                    DirtyEntityException.class, () -> JpaLocks.over(em).lock(Account.class, 1L));
            assertThat(dirty.attributes()).containsExactlyInAnyOrder("balance", "status");
            assertThat(dirty).hasMessageContaining("Account 1 has changes");
            assertThat(dirty.id()).isEqualTo(1L);
            assertThat(isLocked("Account", "true")).isFalse();
            assertThat(value("SELECT balance FROM Account")).isEqualTo("100");
            assertThat(account.balance).isEqualTo(20);
            em.clear();
        });
    }

    @Test
    void flushedChangesAreNone() {
        sql("INSERT INTO Account VALUES (100, 1, 'open')");
        run(em -> {
            em.find(Account.class, 1L).balance = 20;
            em.flush();
            assertThat(JpaLocks.over(em).lock(Account.class, 1L).balance).isEqualTo(20);
        });
    }

    /** Nobody else can have been at the row since. */
    @Test
    void changesMadeUnderALockAreKept() {
        sql("INSERT INTO Account VALUES (100, 1, 'open'), (100, 2, 'open')");
        run(em -> {
            JpaLocks locks = JpaLocks.over(em);
            locks.withLock(Account.class, 1L, (m, account) -> account.withdraw(30));
            int left = locks.withLocks(
                    Account.class,
                    List.of(1L, 2L),
                    (m, accounts) -> accounts.get(1L).withdraw(30));
            assertThat(left).isEqualTo(40);
            assertThat(locks.lockWhere(
                                    Account.class,
                                    "SELECT a FROM Account a WHERE a.balance < 100",
                                    Map.of(),
                                    Lock.forUpdate())
                            .get(0)
                            .balance)
                    .isEqualTo(40);
        });
        assertThat(value("SELECT balance FROM Account WHERE id = 1")).isEqualTo("40");
    }

    @Test
    void changesMadeUnderASharedLockAreNot() {
        sql("INSERT INTO Account VALUES (100, 1, 'open')");
        run(em -> {
            JpaLocks locks = JpaLocks.over(em);
            locks.lock(Account.class, 1L, Lock.forShare()).balance = 5;
            assertThatThrownBy(() -> locks.lock(Account.class, 1L, Lock.forShare()))
                    .isInstanceOf(DirtyEntityException.class);
            em.clear();
        });
    }

    @Test
    void queryRefusesChangesOfAnyEntityThatItMayFind() {
        sql("INSERT INTO Account VALUES (100, 1, 'open'), (100, 2, 'open')");
        run(em -> {
            em.find(Account.class, 2L).balance = 20;
            assertThatThrownBy(() -> JpaLocks.over(em)
                            .lockWhere(
                                    Account.class,
                                    "SELECT a FROM Account a WHERE a.id = 1",
                                    Map.of(),
                                    Lock.forUpdate()))
                    .isInstanceOf(DirtyEntityException.class)
                    .hasMessageContaining("Account 2");
            assertThat(isLocked("Account", "true")).isFalse();
            assertThat(value("SELECT balance FROM Account WHERE id = 2")).isEqualTo("100");
            em.clear();
        });
    }

    @Test
    void changedCollection() {
        sql("INSERT INTO Basket VALUES (1)", "INSERT INTO Basket_items VALUES (1, 'apple')");
        run(em -> {
            Basket basket = em.find(Basket.class, 1L);
            basket.items.add("pear");
            assertThatThrownBy(() -> JpaLocks.over(em).lock(Basket.class, 1L))
                    .isInstanceOfSatisfying(
                            DirtyEntityException.class,
                            dirty -> assertThat(dirty.attributes()).containsExactly("items"));
            em.clear();
        });
    }

    /** A refresh of the parent would reach its children and take their changes away. */
    @Test
    void changedEntityThatARefreshWouldReach() {
        sql(
                "INSERT INTO Parent (id, name, version) VALUES (1, 'p', 0)",
                "INSERT INTO Child (id, name, parent_id) VALUES (5, 'c', 1)");
        run(em -> {
            Parent parent = em.find(Parent.class, 1L);
            parent.children.get(0).name = "changed";
            assertThatThrownBy(() -> JpaLocks.over(em).lock(Parent.class, 1L))
                    .isInstanceOf(DirtyEntityException.class)
                    .hasMessageContaining("Child 5");
            em.clear();
        });
    }

    @Test
    void versionThatWasSetByHandIsAChange() {
        sql("INSERT INTO Product (id, stock, code, version) VALUES (1, 3, 'A-1', 4)");
        run(em -> {
            em.find(Product.class, 1L).version = 3;
            assertThatThrownBy(() -> JpaLocks.over(em).lock(Product.class, 1L))
                    .isInstanceOfSatisfying(
                            DirtyEntityException.class,
                            dirty -> assertThat(dirty.attributes()).isEqualTo(List.of("version")));
            em.clear();
        });
    }

    @Test
    void removedAndNewEntitiesAreToBeFlushedFirst() {
        sql("INSERT INTO Account VALUES (100, 1, 'open')");
        run(em -> {
            em.remove(em.find(Account.class, 1L));
            Account fresh = new Account();
            fresh.id = 2;
            em.persist(fresh);
            JpaLocks locks = JpaLocks.over(em);
            assertThatThrownBy(() -> locks.lock(Account.class, 1L))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("was removed");
            assertThatThrownBy(() -> locks.lock(Account.class, 2L))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("flush before the lock");
            em.flush();
            assertThat(locks.lock(Account.class, 2L)).isSameAs(fresh);
        });
    }
}
