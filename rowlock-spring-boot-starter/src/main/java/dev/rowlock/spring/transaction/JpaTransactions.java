package dev.rowlock.spring.transaction;

import jakarta.persistence.EntityTransaction;
import javax.sql.DataSource;
import org.springframework.orm.jpa.EntityManagerFactoryInfo;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** JPA's side of a transaction. Used only where JPA is there. */
final class JpaTransactions {
    private JpaTransactions() {}

    /** A transaction manager for JPA asks the entity manager whether to commit, not the holder of its connection. */
    static void markRollbackOnly(DataSource dataSource) {
        TransactionSynchronizationManager.getResourceMap().forEach((key, resource) -> {
            if (key instanceof EntityManagerFactoryInfo factory
                    && resource instanceof EntityManagerHolder holder
                    && holder.isSynchronizedWithTransaction()
                    && factory.getDataSource() != null
                    && DataSources.isSame(factory.getDataSource(), dataSource)) {
                EntityTransaction transaction = holder.getEntityManager().getTransaction();
                if (transaction.isActive()) {
                    transaction.setRollbackOnly();
                }
            }
        });
    }
}
