package dev.rowlock.jpa;

import static dev.rowlock.jpa.JpaDatabase.run;
import static dev.rowlock.jpa.JpaDatabase.sql;
import static dev.rowlock.jpa.JpaDatabase.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.rowlock.Lock;
import dev.rowlock.StaleRowException;
import dev.rowlock.jpa.Invoices.Invoice;
import dev.rowlock.jpa.Invoices.InvoiceLine;
import dev.rowlock.jpa.Invoices.Note;
import jakarta.persistence.EntityManager;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A change of a child raises the version of its parent, once and guarded. */
class RaisesParentVersionTest extends JpaTest {
    @BeforeEach
    void invoices() {
        sql(
                "INSERT INTO Invoice (id, name, version) VALUES (1, 'one', 10), (2, 'two', 20)",
                "INSERT INTO InvoiceLine (id, amount, version, invoice_id) VALUES (1, 5, 0, 1), (2, 5, 0, 1), (3, 5, 0, 2)",
                "INSERT INTO Note (line_id) VALUES (1)");
    }

    private static String versions() {
        return value("SELECT string_agg(version::text, ' ' ORDER BY id) FROM Invoice");
    }

    private static void withInvoice(Consumer<Invoice> work) {
        run(em -> work.accept(em.find(Invoice.class, 1L)));
    }

    @Test
    void anyNumberOfChangesRaisesOnce() {
        run(em -> {
            Invoice invoice = em.find(Invoice.class, 1L);
            invoice.lines.get(0).amount = 6;
            em.persist(new InvoiceLine(4, invoice, 1));
            em.remove(em.find(InvoiceLine.class, 2L));
            em.flush();
            assertThat(invoice.version).isEqualTo(11);
            invoice.lines.get(0).amount = 7;
        });
        assertThat(versions()).isEqualTo("11 20");
    }

    @Test
    void changeInsertionAndRemovalEachRaise() {
        withInvoice(invoice -> invoice.lines.get(0).amount = 6);
        assertThat(versions()).isEqualTo("11 20");
        withInvoice(invoice -> invoice.lines.add(new InvoiceLine(4, invoice, 1)));
        assertThat(versions()).isEqualTo("12 20");
        withInvoice(invoice -> invoice.lines.removeIf(line -> line.id == 4));
        assertThat(versions()).isEqualTo("13 20");
    }

    @Test
    void childThatMovesRaisesBothParents() {
        run(em -> {
            em.find(Invoice.class, 1L);
            em.find(InvoiceLine.class, 1L).invoice = em.find(Invoice.class, 2L);
        });
        assertThat(versions()).isEqualTo("11 21");
    }

    @Test
    void childThatIsTakenOutRaisesTheOneItLeaves() {
        run(em -> {
            em.find(Invoice.class, 1L);
            em.find(InvoiceLine.class, 1L).invoice = null;
        });
        assertThat(versions()).isEqualTo("11 20");
    }

    @Test
    void ownChangeOfTheParentIsTheRaise() {
        withInvoice(invoice -> {
            invoice.name = "uno";
            invoice.lines.get(0).amount = 6;
        });
        assertThat(versions()).isEqualTo("11 20");
    }

    @Test
    void newParentIsNotRaisedAndOneThatIsRemovedGoes() {
        run(em -> {
            Invoice fresh = new Invoice();
            fresh.id = 3;
            fresh.lines.add(new InvoiceLine(4, fresh, 1));
            em.persist(fresh);
            em.flush();
            fresh.lines.get(0).amount = 2;
            Invoice second = em.find(Invoice.class, 2L);
            em.remove(second);
        });
        assertThat(versions()).isEqualTo("10 0");
    }

    @Test
    void nothingChangedRaisesNothing() {
        run(em -> {
            InvoiceLine line = em.find(Invoice.class, 1L).lines.get(0);
            line.amount = 6;
            em.createQuery("SELECT a FROM Account a").getResultList(); // looks at all changes and needs no flush
            line.amount = 5;
        });
        assertThat(versions()).isEqualTo("10 20");
        assertThat(value("SELECT sum(version) FROM InvoiceLine")).isEqualTo("0");
    }

    @Test
    void queryThatNeedsTheFlushRaises() {
        run(em -> {
            Invoice invoice = em.find(Invoice.class, 1L);
            invoice.lines.get(0).amount = 6;
            em.createQuery("SELECT l FROM InvoiceLine l").getResultList();
            assertThat(invoice.version).isEqualTo(11);
        });
        assertThat(versions()).isEqualTo("11 20");
    }

    /** Its collection alone changes, and it has no version: Hibernate updates nothing of it. */
    @Test
    void collectionOfAChildRaisesParentAndGrandparent() {
        run(em -> {
            em.find(Invoice.class, 1L);
            em.find(InvoiceLine.class, 1L);
            em.createQuery("SELECT n FROM Note n", Note.class)
                    .getSingleResult()
                    .tags
                    .add("paid");
        });
        assertThat(versions()).isEqualTo("11 20");
        assertThat(value("SELECT version FROM InvoiceLine WHERE id = 1")).isEqualTo("1");
    }

    @Test
    void insertThatIsSentAtOnceIsNotForgotten() {
        run(em -> {
            Invoice invoice = em.find(Invoice.class, 1L);
            invoice.name = "uno";
            em.persist(new Note(em.find(InvoiceLine.class, 1L)));
        });
        assertThat(versions()).isEqualTo("11 20");
        run(em -> {
            em.find(Invoice.class, 1L);
            em.persist(new Note(em.find(InvoiceLine.class, 1L)));
            em.clear();
        });
        assertThat(versions()).isEqualTo("12 20");
        assertThat(value("SELECT version FROM InvoiceLine WHERE id = 1")).isEqualTo("2");
    }

    @Test
    void parentThatNobodyHasLoadedIsRefusedBeforeAnythingIsSent() {
        refused(em -> em.find(InvoiceLine.class, 1L).amount = 6, "InvoiceLine 1", "Invoice 1");
        refused(em -> em.remove(em.find(InvoiceLine.class, 1L)), "InvoiceLine 1", "Invoice 1");
        refused(
                em -> em.persist(new InvoiceLine(4, em.getReference(Invoice.class, 2L), 1)),
                "InvoiceLine 4",
                "Invoice 2");
        Invoice detached = JpaDatabase.call(em -> em.find(Invoice.class, 2L));
        refused(em -> em.persist(new InvoiceLine(4, detached, 1)), "InvoiceLine 4", "Invoice 2");
        assertThat(versions()).isEqualTo("10 20");
    }

    private static void refused(Consumer<EntityManager> work, String child, String parent) {
        run(em -> {
            work.accept(em);
            JpaDatabase.SENT.clear();
            assertThatThrownBy(em::flush)
                    .isInstanceOf(UnguardedParentException.class)
                    .hasMessageContaining(child)
                    .hasMessageContaining(parent);
            assertThat(JpaDatabase.SENT).isEmpty();
            em.getTransaction().rollback();
        });
    }

    @Test
    void parentThatSomebodyHasRaisedIsStaleAndTheChildIsNotSent() {
        StaleRowException stale = catchThrowableOfType(
                StaleRowException.class,
                () -> withInvoiceAndFlush(invoice -> {
                    invoice.lines.get(0).amount = 6;
                    sql("UPDATE Invoice SET version = 11 WHERE id = 1");
                    JpaDatabase.SENT.clear();
                }));
        assertThat(stale.expectedVersion()).isEqualTo(10);
        assertThat(stale.currentVersion()).isEqualTo(11);
        assertThat(stale.table().name()).isEqualTo("Invoice");
        assertThat(JpaDatabase.SENT).noneMatch(sent -> sent.startsWith("update InvoiceLine"));
    }

    private static void withInvoiceAndFlush(Consumer<Invoice> work) {
        run(em -> {
            work.accept(em.find(Invoice.class, 1L));
            JpaVersions.over(em).flush();
        });
    }

    @Test
    void parentThatIsTouchedToo() {
        run(em -> {
            Invoice invoice = em.find(Invoice.class, 1L);
            JpaVersions.over(em).touch(invoice);
            invoice.lines.get(0).amount = 6;
            em.flush();
            JpaVersions.over(em).touch(invoice);
        });
        assertThat(versions()).isEqualTo("11 20");
    }

    @Test
    void parentUnderASharedLockIsRefused() {
        run(em -> {
            JpaLocks.over(em).lock(Invoice.class, 1L, Lock.forShare()).lines.get(0).amount = 6;
            assertThatThrownBy(em::flush)
                    .isInstanceOf(LockUpgradeException.class)
                    .hasMessageContaining("Invoice 1");
            em.getTransaction().rollback();
        });
    }

    @Test
    void statelessSessionIsRefused() {
        try (StatelessSession session =
                JpaDatabase.factory().unwrap(SessionFactory.class).openStatelessSession()) {
            session.beginTransaction();
            InvoiceLine line = session.get(InvoiceLine.class, 1L);
            assertThatThrownBy(() -> session.update(line))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("InvoiceLine 1 raises the version of its parent");
            session.getTransaction().rollback();
        }
    }

    /** Whoever holds the parent is waited for before a child is held. */
    @Test
    void parentsAreRaisedFirst() {
        run(em -> {
            List<InvoiceLine> lines = em.createQuery(
                            "SELECT l FROM InvoiceLine l JOIN FETCH l.invoice ORDER BY l.id DESC", InvoiceLine.class)
                    .getResultList();
            lines.forEach(line -> line.amount = 6);
            JpaDatabase.SENT.clear();
        });
        assertThat(JpaDatabase.SENT.stream().map(sql -> sql.substring(0, sql.indexOf(" set"))))
                .containsExactly(
                        "update Invoice",
                        "update Invoice",
                        "update InvoiceLine",
                        "update InvoiceLine",
                        "update InvoiceLine");
        assertThat(versions()).isEqualTo("11 21");
    }

    /** So that two who raise the same ones do not deadlock. */
    @Test
    void parentsAreRaisedInTheOrderOfTheirKeys() {
        CompletableFuture<String> raising;
        try (Other other = new Other("UPDATE Invoice SET name = 'uno' WHERE id = 1")) {
            raising = start(() -> JpaDatabase.call(em -> {
                em.createQuery("SELECT l FROM InvoiceLine l JOIN FETCH l.invoice ORDER BY l.id DESC", InvoiceLine.class)
                        .getResultList()
                        .forEach(line -> line.amount = 6);
                return "raised";
            }));
            JpaDatabase.awaitBlockedOrDone(raising);
            assertThat(raising).isNotDone();
            assertThat(JpaDatabase.isLocked("Invoice", "id = 2")).isFalse();
            other.commit();
        }
        assertThat(raising.join()).isEqualTo("raised");
        assertThat(versions()).isEqualTo("11 21");
    }
}
