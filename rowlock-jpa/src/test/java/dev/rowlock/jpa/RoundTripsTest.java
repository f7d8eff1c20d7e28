package dev.rowlock.jpa;

import static dev.rowlock.jpa.JpaDatabase.sql;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.Lock;
import dev.rowlock.Rowlock;
import dev.rowlock.jpa.Entities.Account;
import dev.rowlock.jpa.Entities.Payment;
import dev.rowlock.jpa.Entities.Vehicle;
import dev.rowlock.watch.Call;
import dev.rowlock.watch.InterceptedDataSource;
import dev.rowlock.watch.Interceptor;
import dev.rowlock.watch.Result;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a lock costs in statements, each of which is a round trip. */
class RoundTripsTest extends JpaTest {
    private static final List<String> SENT = new ArrayList<>();
    private static DataSource counted;
    private static EntityManagerFactory factory;

    @BeforeAll
    static void open() {
        Interceptor counting = new Interceptor() {
            @Override
            public void before(Call call) {
                if (call.kind() == Call.Kind.STATEMENT) {
                    SENT.add(call.text());
                }
            }

            @Override
            public void after(Call call, Result result) {}
        };
        counted = InterceptedDataSource.of(JpaDatabase.dataSource(), counting);
        factory = JpaDatabase.factory(counted, Map.of());
    }

    @AfterAll
    static void close() {
        factory.close();
    }

    @BeforeEach
    void rows() {
        sql(
                "INSERT INTO Account (id, balance, status) SELECT n, 100, 'open' FROM generate_series(1, 5) AS n",
                "INSERT INTO Payment VALUES (1, 'new'), (2, 'new')",
                "INSERT INTO CardPayment VALUES (5, 1), (5, 2)",
                "INSERT INTO Car (id, mileage) VALUES (1, 10)");
    }

    private static List<String> sent(Consumer<EntityManager> work) {
        JpaDatabase.call(factory, em -> {
            SENT.clear();
            work.accept(em);
            return "done";
        });
        return SENT;
    }

    @Test
    void oneEntityIsLockedAndRead() {
        assertThat(sent(em -> JpaLocks.over(em).lock(Account.class, 1L))).hasSize(2);
        assertThat(sent(em -> JpaLocks.over(em).withLockTimeoutOfTheSession().lock(Account.class, 1L)))
                .hasSize(2)
                .first()
                .isEqualTo("SELECT id FROM Account WHERE id = 1 FOR NO KEY UPDATE");
    }

    @Test
    void manyAreLockedAndReadLikeOne() {
        Lock lock = Lock.forUpdate();
        assertThat(sent(em -> JpaLocks.over(em).lockAll(Account.class, List.of(1L, 2L, 3L), lock)))
                .hasSize(2);
        assertThat(sent(em -> JpaLocks.over(em).lockAll(Payment.class, List.of(1L, 2L), lock)))
                .hasSize(2);
    }

    /** Without it nobody could say what became of a lost commit. */
    @Test
    void unitOfHibernateAloneAsksForItsIdBehindTheFlush() {
        SENT.clear();
        JpaUnits.over(Rowlock.over(counted), factory).<Account, RuntimeException>call((tx, em) -> {
            Account account = em.find(Account.class, 1L);
            account.balance = 5;
            return account;
        });

        int written = SENT.indexOf(SENT.stream()
                .filter(text -> text.toLowerCase(Locale.ROOT).startsWith("update account"))
                .findFirst()
                .orElseThrow());
        assertThat(SENT.subList(written + 1, SENT.size()))
                .hasSize(2)
                .first()
                .asString()
                .contains("pg_current_xact_id_if_assigned");
        assertThat(SENT.get(SENT.size() - 1)).contains("COMMIT");
    }

    @Test
    void tablesPerClassAreLockedInOneStatementToo() {
        assertThat(sent(em -> JpaLocks.over(em).lock(Vehicle.class, 1L))).hasSize(2);
    }

    @Test
    void queryCostsTwoMoreForTheLimitOfItsWait() {
        String jpql = "SELECT a FROM Account a";
        assertThat(sent(em -> JpaLocks.over(em).lockWhere(Account.class, jpql, Map.of(), Lock.forUpdate())))
                .hasSize(4);
        assertThat(sent(em -> JpaLocks.over(em)
                        .withLockTimeoutOfTheSession()
                        .lockWhere(Account.class, jpql, Map.of(), Lock.forUpdate())))
                .hasSize(2);
    }
}
