package dev.rowlock.spring.idempotency;

import dev.rowlock.once.Once;
import dev.rowlock.spring.RowlockProperties;
import dev.rowlock.spring.retry.Retries;
import dev.rowlock.spring.retry.RetryAutoConfiguration;
import dev.rowlock.spring.retry.RetryLimits;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionOperations;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

/** {@link Idempotent}. */
@AutoConfiguration(after = {IdempotencyAutoConfiguration.class, RetryAutoConfiguration.class})
@ConditionalOnClass({WebMvcConfigurer.class, HttpServletRequest.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBean({Once.class, Retries.class})
public class IdempotentAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    IdempotencyScope rowlockIdempotencyScope() {
        return request -> request.getMethod() + " " + request.getRequestURI();
    }

    @Bean
    KeyCleanUp rowlockKeyCleanUp(Once once, RowlockProperties properties) {
        return new KeyCleanUp(once, properties.idempotency().cleanUpInterval());
    }

    @Bean
    IdempotentAdapter rowlockIdempotentAdapter(
            Once once,
            Retries retries,
            RowlockProperties properties,
            IdempotencyScope scope,
            ObjectProvider<PlatformTransactionManager> managers,
            ObjectProvider<Replay> listeners,
            @Qualifier("requestMappingHandlerAdapter") ObjectProvider<RequestMappingHandlerAdapter> methods,
            @Qualifier("handlerExceptionResolver") ObjectProvider<HandlerExceptionResolver> resolvers) {
        Optional<TransactionOperations> transactions =
                Optional.ofNullable(managers.getIfUnique()).map(TransactionTemplate::new);
        Supplier<HandlerExceptionResolver> resolver = resolvers::getObject;
        KeptAnswers answers = new KeptAnswers(
                once,
                transactions,
                retries,
                limits(properties),
                resolver,
                listeners.orderedStream().toList());
        return new IdempotentAdapter(
                methods::getObject,
                answers,
                scope,
                Math.toIntExact(properties.idempotency().maxRequest().toBytes()));
    }

    private static RetryLimits limits(RowlockProperties properties) {
        return new RetryLimits(
                properties.maxAttempts(),
                properties.retryBudget(),
                properties.retryBaseDelay(),
                properties.retryMaxDelay(),
                properties.retryLockTimeouts());
    }
}
