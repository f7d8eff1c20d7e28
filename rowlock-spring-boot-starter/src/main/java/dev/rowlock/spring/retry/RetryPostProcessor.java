package dev.rowlock.spring.retry;

import java.util.function.Supplier;
import org.springframework.aop.Pointcut;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;

/**
 * Puts the attempts around everything else that advises a bean. Not an advisor among others, whose order the application can change:
 * whatever it does, an attempt inside the transaction that has lost would be wrong.
 */
final class RetryPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor {
    RetryPostProcessor(Supplier<Retries> retries) {
        Pointcut onClass = new AnnotationMatchingPointcut(RetryOnConflict.class, true);
        Pointcut onMethod = new AnnotationMatchingPointcut(null, RetryOnConflict.class, true);
        this.advisor = new DefaultPointcutAdvisor(
                new ComposablePointcut(onClass).union(onMethod), new RetryInterceptor(retries));
        setBeforeExistingAdvisors(true);
        setProxyTargetClass(true);
    }
}
