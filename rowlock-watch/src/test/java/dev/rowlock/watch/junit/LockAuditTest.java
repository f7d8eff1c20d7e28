package dev.rowlock.watch.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.rowlock.watch.audit.Audit;
import dev.rowlock.watch.audit.Hazard;
import dev.rowlock.watch.audit.LockAudits;
import dev.rowlock.watch.trace.TestServer;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;
import shop.Wallets;

/** A test with a hazard fails, unless that is allowed for a reason. */
class LockAuditTest {
    private static final String INNER = "rowlock.test.inner";

    /** Run by the tests around only: some are meant to fail. */
    @LockAudit
    @EnabledIfSystemProperty(named = INNER, matches = "true")
    static class Audited {
        private static final DataSource WATCHED = LockAudits.watch(TestServer.dataSource());
        private final Wallets wallets = new Wallets(LockAudits.watch(WATCHED));

        @BeforeEach
        void prepareWithoutBeingAudited() throws SQLException {
            wallets.chargeUnlocked(1, 0);
        }

        @Test
        void chargesUnlocked() throws SQLException {
            wallets.chargeUnlocked(1, 10);
        }

        @Test
        void chargesLocked(Audit audit) throws SQLException {
            wallets.charge(1, 10);
            assertThat(audit.findings()).isEmpty();
        }

        @Test
        void chargesUnlockedAndFails() throws SQLException {
            wallets.chargeUnlocked(1, 10);
            throw new IllegalStateException("of its own");
        }

        @Test
        @LockAudit(allow = @Allow(value = Hazard.READ_THEN_WRITE, table = "wallet", reason = "one writer only"))
        void allowsTheTable() throws SQLException {
            wallets.chargeUnlocked(1, 10);
        }

        @Test
        @LockAudit(allow = @Allow(value = Hazard.READ_THEN_WRITE, caller = "shop.Wallets", reason = "one writer only"))
        void allowsTheCaller() throws SQLException {
            wallets.chargeUnlocked(1, 10);
        }

        @Test
        @LockAudit(allow = @Allow(value = Hazard.READ_THEN_WRITE, table = "product", reason = "one writer only"))
        void allowsAnotherTable() throws SQLException {
            wallets.chargeUnlocked(1, 10);
        }

        @Test
        @LockAudit(allow = @Allow(value = Hazard.READ_THEN_WRITE, table = "wallet", reason = " "))
        void allowsWithoutAReason() throws SQLException {
            wallets.chargeUnlocked(1, 10);
        }

        @Test
        @LockAudit(allow = @Allow(value = Hazard.READ_THEN_WRITE, reason = "everywhere"))
        void allowsEverywhere() throws SQLException {
            wallets.chargeUnlocked(1, 10);
        }

        @Test
        @LockAudit(fail = Hazard.WIDE_LOCK)
        void failsOnWideLocksAlone() throws SQLException {
            wallets.chargeUnlocked(1, 10);
        }

        @Test
        @LockAudit(versioned = "wallet.state")
        void knowsVersions() throws SQLException {
            wallets.autoCommit(connection -> Wallets.update(connection, "UPDATE wallet SET balance = balance + 1"));
        }

        @Test
        @LockAudit(versioned = "wallet")
        void namesNoColumn() {}
    }

    @BeforeEach
    void prepare() throws SQLException {
        TestServer.prepare();
    }

    private static TestExecutionSummary run(String test) throws NoSuchMethodException {
        for (var method : Audited.class.getDeclaredMethods()) {
            if (method.getName().equals(test)) {
                LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                        .selectors(selectMethod(Audited.class, method))
                        .build();
                SummaryGeneratingListener listener = new SummaryGeneratingListener();
                System.setProperty(INNER, "true");
                try {
                    LauncherFactory.create().execute(request, listener);
                } finally {
                    System.clearProperty(INNER);
                }
                return listener.getSummary();
            }
        }
        throw new NoSuchMethodException(test);
    }

    private static void assertPasses(String test) throws NoSuchMethodException {
        TestExecutionSummary summary = run(test);
        assertThat(summary.getFailures()).isEmpty();
        assertThat(summary.getTestsSucceededCount()).isOne();
    }

    private static Throwable failure(String test) throws NoSuchMethodException {
        TestExecutionSummary summary = run(test);
        assertThat(summary.getFailures()).hasSize(1);
        return summary.getFailures().get(0).getException();
    }

    @Test
    void testWithAHazardFailsWithAMessageThatSaysAll() throws NoSuchMethodException {
        assertThat(failure("chargesUnlocked"))
                .isInstanceOf(AssertionError.class)
                .extracting(error -> error.getMessage().replaceAll("java:\\d+", "java:N"))
                .isEqualTo("""
                        the lock audit of chargesUnlocked() found a hazard:

                        1. read-then-write: a row of wallet is read without a lock and then overwritten
                            SELECT balance FROM wallet WHERE id = ?
                              at shop.Wallets.number(Wallets.java:N)
                            UPDATE wallet SET balance = ? WHERE id = ?
                              at shop.Wallets.update(Wallets.java:N)
                          Why it hurts: Whoever writes the row between the two statements is overwritten: a lost update.
                          Instead: Lock the row when it is read (FOR NO KEY UPDATE), let the database work the value out (n = n - ?) under a guard, or check a version.

                        If it is right as it is: @LockAudit(allow = @Allow(value = Hazard.READ_THEN_WRITE, table = "wallet", reason = "…"))""");
    }

    @Test
    void testWithoutOnePasses() throws NoSuchMethodException {
        assertPasses("chargesLocked");
    }

    @Test
    void errorOfTheTestItselfStaysInFront() throws NoSuchMethodException {
        assertThat(failure("chargesUnlockedAndFails"))
                .hasMessage("of its own")
                .satisfies(error ->
                        assertThat(error.getSuppressed()).singleElement().isInstanceOf(AssertionError.class));
    }

    @Test
    void whatIsAllowedPasses() throws NoSuchMethodException {
        assertPasses("allowsTheTable");
        assertPasses("allowsTheCaller");
        assertPasses("failsOnWideLocksAlone");
        assertThat(failure("allowsAnotherTable")).hasMessageContaining("read-then-write");
    }

    @Test
    void settingsThatMakeNoSenseAreRefused() throws NoSuchMethodException {
        assertThat(failure("allowsWithoutAReason")).hasMessageContaining("needs a reason");
        assertThat(failure("allowsEverywhere")).hasMessageContaining("needs a table or a caller");
        assertThat(failure("namesNoColumn")).hasMessageContaining("\"table.column\"");
    }

    @Test
    void versionColumnsAreThoseOfTheAnnotation() throws NoSuchMethodException {
        assertThat(failure("knowsVersions")).hasMessageContaining("version-skipped");
    }
}
