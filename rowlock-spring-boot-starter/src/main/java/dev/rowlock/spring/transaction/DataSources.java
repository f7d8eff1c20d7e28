package dev.rowlock.spring.transaction;

import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/** Looks behind the wrappers that Spring puts around a pool. */
final class DataSources {
    private DataSources() {}

    /**
     * What a unit of work of its own borrows from: without the wrapper that would hand it the connection of a transaction of Spring's,
     * and without the one that hides which physical connection it is.
     */
    static DataSource forOwnTransactions(DataSource dataSource) {
        DataSource inner = dataSource;
        while (inner instanceof TransactionAwareDataSourceProxy || inner instanceof LazyConnectionDataSourceProxy) {
            DataSource target = ((DelegatingDataSource) inner).getTargetDataSource();
            if (target == null) {
                return inner;
            }
            inner = target;
        }
        return inner;
    }

    /** Whether both lead to one pool, whatever is wrapped around either. */
    static boolean isSame(DataSource one, DataSource other) {
        return root(one) == root(other);
    }

    private static DataSource root(DataSource dataSource) {
        DataSource inner = dataSource;
        while (inner instanceof DelegatingDataSource wrapper && wrapper.getTargetDataSource() != null) {
            inner = wrapper.getTargetDataSource();
        }
        return inner;
    }
}
