package dev.rowlock.watch.junit;

import dev.rowlock.watch.audit.Audit;
import dev.rowlock.watch.audit.AuditBuilder;
import dev.rowlock.watch.audit.Finding;
import dev.rowlock.watch.audit.LockAudits;
import java.lang.reflect.AnnotatedElement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** See {@link LockAudit}. */
final class LockAuditExtension implements BeforeTestExecutionCallback, AfterTestExecutionCallback, ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(LockAuditExtension.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Audit.class
                && context.getTestMethod().isPresent();
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return audit(context);
    }

    @Override
    public void beforeTestExecution(ExtensionContext context) {
        Audit audit = audit(context);
        if (!LockAudits.isWatching()) {
            throw new ExtensionConfigurationException(
                    "@LockAudit sees no data source: give the one that the test uses to LockAudits.watch(dataSource)");
        }
        LockAudits.open(audit);
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
        Audit audit = audit(context);
        LockAudits.close(audit);
        LockAudit settings = settings(context);
        Set<Object> failing = Set.of((Object[]) settings.fail());
        List<Finding> findings = audit.findings().stream()
                .filter(finding -> failing.contains(finding.hazard()))
                .filter(finding -> !isAllowed(finding, settings))
                .toList();
        if (findings.isEmpty()) {
            return;
        }
        AssertionError error = new AssertionError(Message.of(context.getDisplayName(), findings));
        Optional<Throwable> failure = context.getExecutionException();
        if (failure.isEmpty()) {
            throw error;
        }
        // The test's own error is what matters more.
        failure.get().addSuppressed(error);
    }

    private static Audit audit(ExtensionContext context) {
        return context.getStore(NAMESPACE).computeIfAbsent(Audit.class, any -> make(context), Audit.class);
    }

    private static Audit make(ExtensionContext context) {
        LockAudit settings = settings(context);
        for (Allow allow : settings.allow()) {
            check(allow);
        }
        AuditBuilder audit = Audit.builder()
                .wideLockRows(settings.wideLockRows())
                .longHold(Duration.ofMillis(settings.longHoldMillis()));
        for (String versioned : settings.versioned()) {
            int dot = versioned.lastIndexOf('.');
            if (dot < 1 || dot == versioned.length() - 1) {
                throw new ExtensionConfigurationException(
                        "@LockAudit: versioned must be \"table.column\", not \"" + versioned + '"');
            }
            audit.versioned(versioned.substring(0, dot), versioned.substring(dot + 1));
        }
        return audit.build();
    }

    private static void check(Allow allow) {
        if (allow.reason().isBlank()) {
            throw new ExtensionConfigurationException("@Allow needs a reason: " + allow);
        }
        if (allow.table().isBlank() && allow.caller().isBlank()) {
            throw new ExtensionConfigurationException("@Allow needs a table or a caller: " + allow);
        }
    }

    private static LockAudit settings(ExtensionContext context) {
        Optional<AnnotatedElement> element = context.getElement();
        return element.flatMap(of -> AnnotationSupport.findAnnotation(of, LockAudit.class))
                .or(() -> AnnotationSupport.findAnnotation(context.getRequiredTestClass(), LockAudit.class))
                .or(() -> context.getEnclosingTestClasses().stream()
                        .map(outer -> AnnotationSupport.findAnnotation(outer, LockAudit.class))
                        .flatMap(Optional::stream)
                        .reduce((outer, inner) -> inner))
                .orElseThrow(() -> new ExtensionConfigurationException("use it by @LockAudit"));
    }

    private static boolean isAllowed(Finding finding, LockAudit settings) {
        for (Allow allow : settings.allow()) {
            boolean hazard = List.of(allow.value()).contains(finding.hazard());
            boolean table = allow.table().isBlank() || allow.table().equalsIgnoreCase(finding.table());
            if (hazard && table && isCalledBy(finding, allow.caller())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isCalledBy(Finding finding, String prefix) {
        return prefix.isBlank()
                || finding.evidence().stream()
                        .flatMap(evidence -> evidence.caller().stream())
                        .anyMatch(caller -> (caller.className() + "." + caller.method()).startsWith(prefix));
    }
}
