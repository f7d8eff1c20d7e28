package dev.rowlock.spring.transaction;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Watches every transaction from its beginning, also those in which Rowlock is first used when they have been committed: in an event
 * listener, for instance.
 */
final class TransactionStateListener implements BeanPostProcessor, TransactionExecutionListener {
    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof ConfigurableTransactionManager manager
                && !manager.getTransactionExecutionListeners().contains(this)) {
            manager.addListener(this);
        }
        return bean;
    }

    @Override
    public void afterBegin(TransactionExecution transaction, @Nullable Throwable beginFailure) {
        if (beginFailure == null && TransactionSynchronizationManager.isSynchronizationActive()) {
            TransactionState.current();
        }
    }
}
