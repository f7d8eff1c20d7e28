package dev.rowlock.spring.transaction;

import dev.rowlock.Rowlock;
import dev.rowlock.RowlockListener;
import dev.rowlock.spring.RowlockCustomizer;
import dev.rowlock.spring.RowlockProperties;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;

/** The one {@link Rowlock} over the application's data source. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration"
        })
@ConditionalOnBean(DataSource.class)
@EnableConfigurationProperties(RowlockProperties.class)
public class RowlockAutoConfiguration {

    @Bean
    static TransactionStateListener rowlockTransactionStateListener() {
        return new TransactionStateListener();
    }

    @Bean
    @ConditionalOnMissingBean
    Rowlock rowlock(
            ApplicationContext beans,
            ObjectProvider<DataSource> dataSources,
            RowlockProperties properties,
            ObjectProvider<RowlockListener> listeners,
            ObjectProvider<RowlockCustomizer> customizers) {
        DataSource dataSource = dataSources.getIfUnique();
        if (dataSource == null) {
            throw new AmbiguousDataSourceException(beans.getBeanNamesForType(DataSource.class));
        }
        Rowlock.Builder builder = builder(DataSources.forOwnTransactions(dataSource), properties)
                .listener(new RowlockListeners(listeners.orderedStream().toList()));
        if (properties.joinTransactions()) {
            builder.joining(new SpringTransactions(dataSource));
        }
        customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        return builder.build();
    }

    private static Rowlock.Builder builder(DataSource dataSource, RowlockProperties properties) {
        return Rowlock.builder(dataSource)
                .lockTimeout(properties.lockTimeout())
                .statementTimeout(properties.statementTimeout())
                .idleInTransactionTimeout(properties.idleInTransactionTimeout())
                .limitsPerTransaction(properties.limitsPerTransaction())
                .maxRows(properties.maxRows())
                .maxAttempts(properties.maxAttempts())
                .retryDelay(properties.retryBaseDelay(), properties.retryMaxDelay())
                .retryBudget(properties.retryBudget())
                .retryLockTimeouts(properties.retryLockTimeouts())
                .commitCheckLimit(properties.commitCheckLimit())
                .isolation(properties.isolation());
    }
}
