package dev.rowlock.spring.retry;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Runs marked methods by {@link Retries}. */
final class RetryInterceptor implements MethodInterceptor {
    private final Supplier<Retries> retries;
    private final Map<MethodClassKey, RetryOnConflict> known = new ConcurrentHashMap<>();
    private final Map<RetryOnConflict, RetryLimits> limits = new ConcurrentHashMap<>();

    RetryInterceptor(Supplier<Retries> retries) {
        this.retries = retries;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Method method = invocation.getMethod();
        Object target = invocation.getThis();
        Class<?> type = target == null ? method.getDeclaringClass() : AopUtils.getTargetClass(target);
        RetryOnConflict annotation =
                known.computeIfAbsent(new MethodClassKey(method, type), key -> annotation(method, type));
        if (TransactionSynchronizationManager.isActualTransactionActive()) {
            if (annotation.allowInTransaction()) {
                return invocation.proceed();
            }
            throw insideTransaction(method, type);
        }
        return retries.get()
                .<Object>run(
                        limits.computeIfAbsent(annotation, RetryLimits::of),
                        () -> ((ProxyMethodInvocation) invocation)
                                .invocableClone()
                                .proceed());
    }

    /** On the method, or else on its class. */
    private static RetryOnConflict annotation(Method method, Class<?> type) {
        Method specific = AopUtils.getMostSpecificMethod(method, type);
        RetryOnConflict own = AnnotatedElementUtils.findMergedAnnotation(specific, RetryOnConflict.class);
        RetryOnConflict found =
                own == null ? AnnotatedElementUtils.findMergedAnnotation(type, RetryOnConflict.class) : own;
        if (found == null) {
            found = AnnotatedElementUtils.findMergedAnnotation(method.getDeclaringClass(), RetryOnConflict.class);
        }
        if (found == null) {
            throw new IllegalStateException(method + " was advised without @RetryOnConflict");
        }
        return found;
    }

    private static IllegalStateException insideTransaction(Method method, Class<?> type) {
        String name = type.getSimpleName() + "." + method.getName();
        return new IllegalStateException("@RetryOnConflict on " + name + " was called inside a transaction, where no"
                + " other attempt can succeed: mark the method that opens the transaction instead, or let this one run once"
                + " with allowInTransaction = true");
    }
}
