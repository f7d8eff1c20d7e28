package dev.rowlock.watch.junit;

import dev.rowlock.watch.audit.Audit;
import dev.rowlock.watch.audit.Hazard;
import dev.rowlock.watch.audit.LockAudits;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Fails a test that passes but whose SQL has a {@link Hazard}. Audited is what the test method sends, in any thread, through data sources
 * that were given to {@link LockAudits#watch}; what runs before and after each test is not. A test may have the {@link Audit} as a
 * parameter. Audited tests do not run at the same time.
 *
 * <pre>{@code
 * @LockAudit(
 *         versioned = "product.version",
 *         allow = @Allow(value = Hazard.WIDE_LOCK, table = "seat", reason = "the nightly clean-up locks them all"))
 * class OrdersTest { … }
 * }</pre>
 *
 * On a method it replaces that of its class.
 */
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(LockAuditExtension.class)
@ResourceLock("dev.rowlock.watch.audit")
public @interface LockAudit {
    /** What fails the test: everything by default. */
    Hazard[] fail() default {
        Hazard.LOCK_OUTSIDE_TRANSACTION,
        Hazard.LOCK_NOT_SENT,
        Hazard.WIDE_LOCK,
        Hazard.READ_THEN_WRITE,
        Hazard.ONE_PATH_LOCKS,
        Hazard.LOCK_ORDER,
        Hazard.ZERO_ROWS_COMMITTED,
        Hazard.LONG_HOLD,
        Hazard.SKIP_LOCKED_DECISION,
        Hazard.SHARE_LOCK_UPGRADE,
        Hazard.VERSION_SKIPPED
    };

    /** What is known and accepted. */
    Allow[] allow() default {};

    /** Version columns, each as {@code table.column}. */
    String[] versioned() default {};

    /** How many rows one query may lock. */
    int wideLockRows() default 100;

    /** How long a transaction may be outside of the database while it holds a lock, in milliseconds. */
    long longHoldMillis() default 100;
}
