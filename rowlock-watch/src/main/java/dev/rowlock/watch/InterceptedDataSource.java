package dev.rowlock.watch;

import javax.sql.DataSource;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;

/** Puts an {@link Interceptor} before a {@link DataSource}. */
public final class InterceptedDataSource {
    private InterceptedDataSource() {}

    /**
     * A data source whose connections are those of the target, with the interceptor called around everything that they send. It
     * may be used by any number of threads, and a pool may stand on either side of it.
     *
     * <p>Not seen is what a program does behind the connection that it was given: with an unwrapped one, of which the interceptor
     * is told, or through the driver's own objects (large objects, the connection of a {@code DatabaseMetaData}).
     */
    public static DataSource of(DataSource target, Interceptor interceptor) {
        CallListener listener = new CallListener(interceptor);
        return ProxyDataSourceBuilder.create(target)
                .listener(listener)
                .methodListener(listener)
                .jdbcProxyFactory(new ProxyFactory(listener))
                .build();
    }
}
