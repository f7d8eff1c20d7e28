package dev.rowlock.spring.transaction;

import dev.rowlock.OuterTransaction;
import dev.rowlock.TransactionSource;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transactions that Spring has opened on the data source, whichever transaction manager did: one for JDBC, or one for JPA, which
 * shows the connection of its session. Not those of JTA, which bind no connection.
 */
final class SpringTransactions implements TransactionSource {
    private final DataSource dataSource;

    SpringTransactions(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @Override
    public Optional<OuterTransaction> current() {
        if (!TransactionSynchronizationManager.isActualTransactionActive()
                || !TransactionSynchronizationManager.isSynchronizationActive()) {
            return Optional.empty();
        }
        Map.Entry<DataSource, ConnectionHolder> bound = bound();
        if (bound == null) {
            return Optional.empty();
        }
        TransactionState state = TransactionState.current();
        return state.ended()
                ? Optional.empty()
                : Optional.of(new SpringTransaction(bound.getKey(), bound.getValue(), state));
    }

    /** One that is bound only because it was used inside the transaction of another data source commits each statement. */
    private static boolean isInTransaction(ConnectionHolder holder) {
        try {
            return !holder.getConnection().getAutoCommit();
        } catch (SQLException e) {
            throw new CannotGetJdbcConnectionException("the connection of the open transaction cannot be used", e);
        }
    }

    /** Under the data source itself, or under another wrapper around the same pool. */
    private Map.@Nullable Entry<DataSource, ConnectionHolder> bound() {
        for (Map.Entry<Object, Object> resource :
                TransactionSynchronizationManager.getResourceMap().entrySet()) {
            if (resource.getKey() instanceof DataSource key
                    && resource.getValue() instanceof ConnectionHolder holder
                    && DataSources.isSame(key, dataSource)
                    && isInTransaction(holder)) {
                return Map.entry(key, holder);
            }
        }
        return null;
    }
}
