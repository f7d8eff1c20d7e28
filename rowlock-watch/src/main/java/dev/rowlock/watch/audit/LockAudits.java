package dev.rowlock.watch.audit;

import dev.rowlock.watch.trace.Trace;
import dev.rowlock.watch.trace.TraceRecord;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;

/**
 * The data sources of this JVM that audits of tests look at. A data source is watched once, where it is made: in the test, or by a
 * {@code BeanPostProcessor} of a Spring context, which is shared by tests. An audit is opened for a while, and sees what all of them send
 * meanwhile, in any thread.
 */
public final class LockAudits {
    private static final List<Audit> OPEN = new CopyOnWriteArrayList<>();
    private static final Trace TRACE =
            Trace.builder().capacity(0).listener(LockAudits::tell).build();
    /** A wrapped one may be given once more. */
    private static final Set<DataSource> WATCHED =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    private LockAudits() {}

    private static void tell(TraceRecord record) {
        OPEN.forEach(audit -> audit.record(record));
    }

    /** The data source as audits see it; the same one if it is watched already. */
    public static DataSource watch(DataSource dataSource) {
        if (WATCHED.contains(dataSource)) {
            return dataSource;
        }
        DataSource watched = TRACE.over(dataSource);
        WATCHED.add(watched);
        return watched;
    }

    /** Whether there is any that an audit could see. */
    public static boolean isWatching() {
        return !WATCHED.isEmpty();
    }

    /** The audit sees everything from now on until {@link #close}. */
    public static void open(Audit audit) {
        TRACE.flush();
        OPEN.add(audit);
    }

    /** The audit sees nothing more, and can be asked for what it has found. */
    public static void close(Audit audit) {
        TRACE.flush();
        OPEN.remove(audit);
    }
}
