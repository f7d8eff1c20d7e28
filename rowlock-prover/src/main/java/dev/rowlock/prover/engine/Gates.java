package dev.rowlock.prover.engine;

import dev.rowlock.watch.Call;
import dev.rowlock.watch.InterceptedDataSource;
import dev.rowlock.watch.Interceptor;
import dev.rowlock.watch.Result;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/**
 * Stands between a database and the code that acts on it, and knows which thread is which actor. A connection belongs to whoever
 * uses it now, so that a pool may lend it to one actor after the other. Whoever is no actor passes, and is told of if actors run
 * meanwhile.
 */
public final class Gates implements Interceptor {
    private final Map<Long, DriverSession> sessions = new ConcurrentHashMap<>();
    private final Map<Thread, JavaRun> runs = new ConcurrentHashMap<>();
    private final Set<Integer> backends = ConcurrentHashMap.newKeySet();
    private final Set<String> reasons = new LinkedHashSet<>();
    private final Set<String> sentByOthers = new HashSet<>();
    private boolean racing;

    /** The data source with the gates before it. */
    public DataSource before(DataSource dataSource) {
        return InterceptedDataSource.of(dataSource, this);
    }

    /** A race begins. */
    synchronized void begin() {
        if (racing) {
            throw new IllegalStateException("another race is running on this database");
        }
        racing = true;
        reasons.clear();
        sentByOthers.clear();
    }

    synchronized void end() throws SQLException {
        racing = false;
        for (DriverSession session : sessions.values()) {
            session.unsteer();
        }
    }

    private synchronized boolean isRacing() {
        return racing;
    }

    /** The race cannot be decided, for this reason. */
    synchronized void blame(String reason) {
        reasons.add(reason);
    }

    synchronized List<String> reasons() {
        return new ArrayList<>(reasons);
    }

    /** From now on this thread is the actor. */
    void enter(JavaRun run) {
        runs.put(Thread.currentThread(), run);
    }

    void leave() {
        runs.remove(Thread.currentThread());
    }

    /** The connections that this actor was the last to use. */
    List<DriverSession> sessionsOf(JavaProgram program) {
        return sessions.values().stream()
                .filter(session -> session.owner() == program)
                .toList();
    }

    /** The backends of all connections that were ever handed out. */
    Set<Integer> backends() {
        return Set.copyOf(backends);
    }

    @Override
    public void opened(long id, Connection connection) throws SQLException {
        DriverSession session = DriverSession.of(connection);
        if (!isRacing()) {
            session.unsteer();
        }
        backends.add(session.backend());
        sessions.put(id, session);
    }

    @Override
    public void before(Call call) {
        DriverSession session = session(call);
        if (!isStep(call, session)) {
            return;
        }
        JavaRun run = runs.get(Thread.currentThread());
        if (run != null) {
            Several.doubt(run.actor(), call).ifPresent(this::blame);
            run.before(call, session);
        } else if (!runs.isEmpty()) {
            blameOnce(call.text());
        }
    }

    /** Of an actor, statement by statement: on a server others can come between any two of them. */
    @Override
    public Sending sending(Call batch, boolean makesKeys) {
        JavaRun run = runs.get(Thread.currentThread());
        if (run == null) {
            return Sending.TOGETHER;
        }
        try {
            Several.Plan plan = Several.plan(run.actor(), batch, makesKeys, session(batch));
            plan.doubt().ifPresent(this::blame);
            return plan.sending();
        } catch (SQLException e) {
            throw new RaceException("a connection cannot be asked how it sends a batch: " + e.getMessage(), e);
        }
    }

    private synchronized void blameOnce(String sql) {
        if (sentByOthers.add(sql)) {
            reasons.add("a connection outside control was used: thread "
                    + Thread.currentThread().getName() + ", which is no actor's, sent " + sql);
        }
    }

    private DriverSession session(Call call) {
        DriverSession session = sessions.get(call.connectionId());
        if (session == null) {
            throw new IllegalStateException("connection " + call.connectionId() + " was closed before: " + call.text());
        }
        return session;
    }

    /** The end of a transaction that has not begun sends nothing. */
    private static boolean isStep(Call call, DriverSession session) {
        return switch (call.kind()) {
            case COMMIT, ROLLBACK, AUTO_COMMIT, CLOSE -> session.inTransaction();
            default -> true;
        };
    }

    @Override
    public void after(Call call, Result result) {
        JavaRun run = runs.get(Thread.currentThread());
        DriverSession session = session(call);
        if (run != null) {
            run.after(call, result, session);
        }
        if (call.kind() == Call.Kind.CLOSE) {
            sessions.remove(call.connectionId());
        }
    }

    @Override
    public void atRow(Call query, ResultSet at) throws SQLException {
        JavaRun run = runs.get(Thread.currentThread());
        if (run != null) {
            run.atRow(query, at);
        }
    }

    /** Somebody who asks for a {@code Connection} wants to know which one it is; for what only the driver can, its own type is needed. */
    @Override
    public void unwrapped(long id, Class<?> type) {
        if (runs.containsKey(Thread.currentThread()) && type != Connection.class) {
            blame("a connection outside control was used: an actor asked for the " + type.getSimpleName()
                    + " behind its connection or statement, and what it sends through that is not seen");
        }
    }
}
