package dev.rowlock.spring.retry;

import dev.rowlock.Sleeper;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** {@link RetryOnConflict}. */
@AutoConfiguration
public class RetryAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    Retries rowlockRetries(ObjectProvider<RetryListener> listeners) {
        return new Retries(
                listeners.orderedStream().toList(),
                System::nanoTime,
                Sleeper.SYSTEM,
                () -> ThreadLocalRandom.current().nextDouble());
    }

    /** It is made before all beans, so it must not draw others in behind it. */
    @Bean
    static RetryPostProcessor rowlockRetryPostProcessor(ObjectProvider<Retries> retries) {
        return new RetryPostProcessor(retries::getObject);
    }
}
