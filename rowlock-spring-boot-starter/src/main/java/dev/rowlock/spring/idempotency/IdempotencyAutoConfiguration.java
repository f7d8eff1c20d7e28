package dev.rowlock.spring.idempotency;

import dev.rowlock.Rowlock;
import dev.rowlock.once.Once;
import dev.rowlock.spring.RowlockProperties;
import dev.rowlock.spring.transaction.RowlockAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Idempotency keys, in the table of {@link dev.rowlock.RowlockSchema}. */
@AutoConfiguration(after = RowlockAutoConfiguration.class)
@ConditionalOnBean(Rowlock.class)
public class IdempotencyAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    Once rowlockOnce(Rowlock rowlock, RowlockProperties properties) {
        RowlockProperties.Idempotency limits = properties.idempotency();
        return Once.builder(rowlock)
                .retention(limits.retention())
                .waitLimit(limits.waitLimit())
                .maxAnswerBytes(Math.toIntExact(limits.maxAnswer().toBytes()))
                .build();
    }
}
