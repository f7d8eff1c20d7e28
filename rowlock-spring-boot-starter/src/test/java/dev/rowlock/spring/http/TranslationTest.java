package dev.rowlock.spring.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.spring.TestApp;
import dev.rowlock.spring.TestDatabase;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.LockModeType;
import jakarta.persistence.LockTimeoutException;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.PessimisticLockException;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.lang.reflect.Constructor;
import java.sql.SQLException;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.ObjectOptimisticLockingFailureException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Errors of Spring and JPA, raised by them where that can be forced, are answered as Rowlock's own. */
class TranslationTest {
    private static TestApp app;

    private final JdbcTemplate jdbc = app.bean(JdbcTemplate.class);
    private final TransactionTemplate spring = new TransactionTemplate(app.bean(PlatformTransactionManager.class));

    @Entity(name = "Note")
    @Table(name = "note")
    static class Note {
        @Id
        long id;

        int size;

        @Version
        long version;
    }

    @AutoConfigurationPackage
    static class Entities {}

    @BeforeAll
    static void start() {
        app = TestApp.start(
                TestDatabase.create(
                        "CREATE TABLE note (id bigint PRIMARY KEY, size int NOT NULL, version bigint NOT NULL)"),
                Map.of(),
                Entities.class);
    }

    @AfterAll
    static void stop() {
        app.close();
    }

    @BeforeEach
    void makeNote() {
        app.database().sql("TRUNCATE note", "INSERT INTO note VALUES (1, 0, 7)");
    }

    private static void isAnswered(Throwable failure, ProblemKind kind) {
        assertThat(Translation.of(failure, false).map(Problem::kind)).hasValue(kind);
    }

    private static Throwable thrownBy(Runnable work) {
        try {
            work.run();
        } catch (Throwable e) {
            return e;
        }
        throw new AssertionError("nothing was thrown");
    }

    private Throwable raised(String sqlState) {
        return thrownBy(() -> jdbc.execute("DO $$ BEGIN RAISE EXCEPTION SQLSTATE '" + sqlState + "'; END $$"));
    }

    /** In a transaction of JPA's, through the application's entity manager. */
    private Throwable inJpa(Consumer<EntityManager> work) {
        EntityManager shared = app.bean(EntityManager.class);
        return thrownBy(() -> spring.executeWithoutResult(status -> work.accept(shared)));
    }

    /** Without Spring, so that nobody translates. */
    private static Throwable inPlainJpa(Consumer<EntityManager> work) {
        EntityManager own = app.bean(EntityManagerFactory.class).createEntityManager();
        try {
            own.getTransaction().begin();
            return thrownBy(() -> work.accept(own));
        } finally {
            own.getTransaction().rollback();
            own.close();
        }
    }

    private static void changeBehind(EntityManager entities) {
        Note note = entities.find(Note.class, 1L);
        app.database().sql("UPDATE note SET version = version + 1");
        note.size = 5;
        entities.flush();
    }

    private static void lock(EntityManager entities) {
        entities.createNativeQuery("SET LOCAL lock_timeout = '50ms'").executeUpdate();
        entities.find(Note.class, 1L, LockModeType.PESSIMISTIC_WRITE);
    }

    @Test
    void cannotAcquireLockException() {
        isAnswered(new CannotAcquireLockException("held", new SQLException("held", "55P03")), ProblemKind.LOCK_TIMEOUT);
        isAnswered(new CannotAcquireLockException("without a cause"), ProblemKind.LOCK_TIMEOUT);
    }

    @Test
    void lockTimeoutThatSpringLeavesUncategorized() {
        Throwable failure = raised("55P03");
        assertThat(failure).isInstanceOf(UncategorizedSQLException.class);
        isAnswered(failure, ProblemKind.LOCK_TIMEOUT);
    }

    @Test
    void serializationFailure() {
        isAnswered(raised("40001"), ProblemKind.TOO_MANY_CONFLICTS);
    }

    @Test
    void deadlock() {
        isAnswered(raised("40P01"), ProblemKind.TOO_MANY_CONFLICTS);
    }

    /** Deprecated in Spring 6 and still there in 7, so by name. */
    @Test
    void deadlockLoserDataAccessException() throws ReflectiveOperationException {
        Constructor<?> constructor = Class.forName("org.springframework.dao.DeadlockLoserDataAccessException")
                .getConstructor(String.class, Throwable.class);
        isAnswered(
                (Throwable) constructor.newInstance("deadlock", new SQLException("deadlock", "40P01")),
                ProblemKind.TOO_MANY_CONFLICTS);
        isAnswered((Throwable) constructor.newInstance("deadlock", null), ProblemKind.LOCK_TIMEOUT);
    }

    @Test
    void pessimisticLockingFailureException() {
        isAnswered(new PessimisticLockingFailureException("held"), ProblemKind.LOCK_TIMEOUT);
    }

    @Test
    void objectOptimisticLockingFailureException() {
        Throwable failure = inJpa(entities -> {
            Note note = entities.find(Note.class, 1L);
            app.database().sql("UPDATE note SET version = version + 1");
            note.size = 5;
        });
        assertThat(failure).isInstanceOf(ObjectOptimisticLockingFailureException.class);
        isAnswered(failure, ProblemKind.STALE);
        assertThat(Translation.of(failure, true).map(Problem::kind)).hasValue(ProblemKind.PRECONDITION_FAILED);
    }

    @Test
    void optimisticLockExceptionOfJpa() {
        Throwable failure = inPlainJpa(TranslationTest::changeBehind);
        assertThat(failure).isInstanceOf(OptimisticLockException.class);
        isAnswered(failure, ProblemKind.STALE);
    }

    @Test
    void lockThatJpaDoesNotGet() {
        try (TestDatabase.Held held = app.database().hold("SELECT FROM note FOR UPDATE")) {
            Throwable failure = inPlainJpa(TranslationTest::lock);
            assertThat(failure).isInstanceOfAny(LockTimeoutException.class, PessimisticLockException.class);
            isAnswered(failure, ProblemKind.LOCK_TIMEOUT);
        }
    }

    @Test
    void lockTimeoutExceptionOfJpa() {
        isAnswered(new LockTimeoutException("held"), ProblemKind.LOCK_TIMEOUT);
    }

    @Test
    void pessimisticLockExceptionOfJpa() {
        isAnswered(new PessimisticLockException("held"), ProblemKind.LOCK_TIMEOUT);
        isAnswered(
                new PessimisticLockException("lost", new SQLException("deadlock", "40P01")),
                ProblemKind.TOO_MANY_CONFLICTS);
    }

    @Test
    void statementTimeout() {
        isAnswered(raised("57014"), ProblemKind.STATEMENT_TIMEOUT);
    }

    @Test
    void lostConnection() {
        isAnswered(
                thrownBy(() -> jdbc.execute("SELECT pg_terminate_backend(pg_backend_pid())")),
                ProblemKind.DATABASE_UNAVAILABLE);
    }

    /** The broken twin: by its text it would be a conflict. */
    @Test
    void textOfTheErrorDoesNotDecide() {
        assertThat(Translation.of(new SQLException("deadlock detected, could not serialize access", "42601"), false))
                .isEmpty();
        assertThat(Translation.of(new IllegalStateException("lock timeout"), false))
                .isEmpty();
    }
}
