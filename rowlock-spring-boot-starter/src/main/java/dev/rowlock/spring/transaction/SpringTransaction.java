package dev.rowlock.spring.transaction;

import dev.rowlock.OuterTransaction;
import dev.rowlock.RowlockListener.CommitOutcome;
import java.sql.Connection;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/** A transaction of Spring's; its connection holder is what tells it from others. */
final class SpringTransaction implements OuterTransaction {
    private static final boolean WITH_JPA = ClassUtils.isPresent(
                    "org.springframework.orm.jpa.EntityManagerHolder", SpringTransaction.class.getClassLoader())
            && ClassUtils.isPresent("jakarta.persistence.EntityManager", SpringTransaction.class.getClassLoader());

    private final DataSource dataSource;
    private final ConnectionHolder holder;
    private final TransactionState state;
    private @Nullable Connection borrowed;

    SpringTransaction(DataSource dataSource, ConnectionHolder holder, TransactionState state) {
        this.dataSource = dataSource;
        this.holder = holder;
        this.state = state;
    }

    @Override
    public Connection connection() {
        Connection connection = borrowed;
        if (connection == null) {
            connection = DataSourceUtils.getConnection(dataSource);
            borrowed = connection;
        }
        return connection;
    }

    @Override
    public boolean readOnly() {
        return TransactionSynchronizationManager.isCurrentTransactionReadOnly();
    }

    @Override
    public void markRollbackOnly(Throwable cause) {
        holder.setRollbackOnly();
        RollbackCause.note(cause);
        if (WITH_JPA) {
            JpaTransactions.markRollbackOnly(dataSource);
        }
    }

    @Override
    public void afterCommit(Runnable work) {
        state.afterCommit(work);
    }

    @Override
    public void atEnd(Consumer<CommitOutcome> work) {
        state.atEnd(work);
    }

    @Override
    public void close() {
        Connection connection = borrowed;
        borrowed = null;
        DataSourceUtils.releaseConnection(connection, dataSource);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SpringTransaction that && holder == that.holder && state == that.state;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(holder);
    }
}
