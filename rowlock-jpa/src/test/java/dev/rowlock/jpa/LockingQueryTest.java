package dev.rowlock.jpa;

import static dev.rowlock.jpa.JpaDatabase.call;
import static dev.rowlock.jpa.JpaDatabase.isLocked;
import static dev.rowlock.jpa.JpaDatabase.run;
import static dev.rowlock.jpa.JpaDatabase.sql;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.rowlock.Lock;
import dev.rowlock.jpa.Entities.Account;
import dev.rowlock.jpa.Entities.Parent;
import dev.rowlock.jpa.Entities.Shipment;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import java.util.Map;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.resource.jdbc.spi.StatementInspector;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The SQL that goes out is looked at, and a query that would not lock does not go out. */
class LockingQueryTest extends JpaTest {
    private static final Lock LOCK = Lock.forNoKeyUpdate();

    @BeforeEach
    void accounts() {
        sql("INSERT INTO Account VALUES (100, 1, 'open'), (100, 2, 'open')");
    }

    private static List<Account> lock(EntityManager em, String jpql) {
        return JpaLocks.over(em).lockWhere(Account.class, jpql, Map.of(), LOCK);
    }

    @Test
    void lockIsInTheOneStatementThatFinds() {
        run(em -> {
            lock(em, "SELECT a FROM Account a WHERE a.balance > 5");
            assertThat(JpaDatabase.SENT.get(0))
                    .isEqualTo("select a1_0.id from Account a1_0 where a1_0.balance>5 order by a1_0.id"
                            + " fetch first ? rows only FOR NO KEY UPDATE OF a1_0");
        });
    }

    /** Hibernate would read without a lock and lock row by row afterwards, or not at all. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT DISTINCT a FROM Account a",
                "SELECT a FROM Account a GROUP BY a",
                "SELECT a FROM Account a WHERE a.id = 1 UNION SELECT a FROM Account a WHERE a.id = 2",
                "SELECT count(a) FROM Account a",
                "SELECT a.balance FROM Account a",
                "FROM Account",
                "UPDATE Account SET balance = 1"
            })
    void queryThatCannotLockIsRefusedWithWhatToWriteInstead(String jpql) {
        run(em -> {
            assertThatThrownBy(() -> lock(em, jpql))
                    .isInstanceOf(LockNotTakenException.class)
                    .hasMessageContaining("SELECT x FROM Entity x WHERE");
            assertThat(isLocked("Account", "true")).isFalse();
            em.getTransaction().rollback();
        });
    }

    @Test
    void fetchOfACollectionIsRefused() {
        run(em -> {
            assertThatThrownBy(() -> JpaLocks.over(em)
                            .lockWhere(
                                    Parent.class, "SELECT p FROM Parent p LEFT JOIN FETCH p.children", Map.of(), LOCK))
                    .isInstanceOf(LockNotTakenException.class)
                    .hasMessageContaining("JOIN FETCH");
            em.getTransaction().rollback();
        });
    }

    @Test
    void joinInTheConditionLocksTheRootOnly() {
        sql("INSERT INTO Shipment (id, state, payer_id) VALUES (1, 'packed', 1), (2, 'packed', null)");
        run(em -> {
            assertThat(JpaLocks.over(em)
                            .lockWhere(
                                    Shipment.class,
                                    "SELECT s FROM Shipment s LEFT JOIN s.payer p WHERE p IS NULL OR p.balance = 100",
                                    Map.of(),
                                    LOCK))
                    .hasSize(2);
            assertThat(isLocked("Shipment", "id = 1")).isTrue();
            assertThat(isLocked("Account", "true")).isFalse();
        });
    }

    @Test
    void orderOfTheQueryIsKept() {
        run(em -> assertThat(lock(em, "SELECT a FROM Account a ORDER BY a.id DESC"))
                .extracting(account -> account.id)
                .containsExactly(2L, 1L));
    }

    /** Takes lock clauses away, as an inspector does that routes reads to a replica and means well. */
    static final class Stripping implements StatementInspector {
        private static final long serialVersionUID = 1L;

        @Override
        public String inspect(String sql) {
            return sql.replaceAll("FOR NO KEY UPDATE.*", "");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"instance", "class", "name"})
    void inspectorThatTakesTheLockAwayIsFoundOut(String given) {
        Object inspector = switch (given) {
            case "instance" -> new Stripping();
            case "class" -> Stripping.class;
            default -> Stripping.class.getName();
        };
        try (EntityManagerFactory factory = JpaDatabase.factory(
                JpaDatabase.dataSource(), Map.of("hibernate.session_factory.statement_inspector", inspector))) {
            LockNotTakenException found = catchThrowableOfType(
                    LockNotTakenException.class, () -> call(factory, em -> lock(em, "SELECT a FROM Account a")));
            assertThat(found.sql()).startsWith("select a1_0.id from Account").doesNotContain("UPDATE");
            // By id the statement is Rowlock's own, and past every inspector.
            call(factory, em -> {
                JpaLocks.over(em).lock(Account.class, 1L);
                assertThat(isLocked("Account", "id = 1")).isTrue();
                return "";
            });
        }
    }

    @Test
    void sessionThatHidesItsSqlCannotLockByAQuery() {
        try (Session session = JpaDatabase.factory()
                .unwrap(SessionFactory.class)
                .withOptions()
                .statementInspector(sql -> sql)
                .openSession()) {
            session.beginTransaction();
            assertThatThrownBy(() -> lock(session, "SELECT a FROM Account a"))
                    .isInstanceOf(LockNotTakenException.class)
                    .hasMessageContaining("was not seen");
            assertThat(session.getTransaction().getRollbackOnly()).isTrue();
            session.getTransaction().rollback();
        }
    }

    /** What the caller has changed elsewhere is flushed before a query that reads it, as with any query. */
    @Test
    void changesOfOtherEntitiesAreFlushedBeforeTheQuery() {
        sql("INSERT INTO Shipment (id, state, payer_id) VALUES (1, 'packed', 1)");
        run(em -> {
            em.find(Shipment.class, 1L).state = "sent";
            assertThat(
                            lock(
                                    em,
                                    "SELECT a FROM Account a WHERE EXISTS (SELECT 1 FROM Shipment s WHERE s.payer = a AND s.state = 'sent')"))
                    .hasSize(1);
        });
    }
}
