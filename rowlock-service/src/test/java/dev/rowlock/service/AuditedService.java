package dev.rowlock.service;

import dev.rowlock.watch.junit.LockAudit;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On every test over HTTP: fails it if the lock audit finds something in what the service sends meanwhile. What is accepted stands here,
 * with its reason, and nowhere else. How long a lock is held depends on the machine of the tests, so that is left out.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@LockAudit(
        versioned = {"product.version", "tenant.version"},
        longHoldMillis = 600_000)
@interface AuditedService {}
