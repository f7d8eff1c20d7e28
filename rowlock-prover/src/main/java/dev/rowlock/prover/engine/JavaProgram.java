package dev.rowlock.prover.engine;

import dev.rowlock.prover.engine.ActorResult.Status;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Code in Java as an actor: every call of its thread through a gated data source is a step. */
final class JavaProgram implements Program.InOneGo {
    private static final int DEEPEST_CAUSE = 50;

    /** Of every statement behind the one that failed, where the code goes on as if nothing had happened. */
    private static final String IN_FAILED_TRANSACTION = "25P02";

    private final String name;
    private final Callable<?> code;
    private final Stage stage;
    private final Gates gates;
    private volatile @Nullable JavaRun run;
    private volatile @Nullable Thread thread;
    private volatile boolean hasTakenSteps;

    /** What all actors of a race share. */
    record Stage(JavaRaceSpec race, Gates gates, Journal journal, Footprints footprints, Control control) {}

    JavaProgram(String name, Callable<?> code, Stage stage) {
        this.name = name;
        this.code = code;
        this.stage = stage;
        this.gates = stage.gates();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void prepare() {
        stage.journal().begin();
        run = null;
    }

    @Override
    public ActorResult run(Gate gate) {
        JavaRun now = new JavaRun(this, gate, stage.journal(), stage.footprints());
        run = now;
        thread = Thread.currentThread();
        Optional<Exception> thrown = Optional.empty();
        @Nullable Object value = null;
        gates.enter(now);
        try {
            value = code.call();
        } catch (Exception e) {
            thrown = Optional.of(e);
        } finally {
            gates.leave();
        }
        now.end();
        hasTakenSteps |= !now.steps().isEmpty();
        if (!now.isGivenUp() && gates.sessionsOf(this).stream().anyMatch(DriverSession::inTransaction)) {
            gates.blame("actor " + name
                    + " ends and leaves a transaction open, which holds its locks until it is rolled back");
        }
        return thrown.isPresent() ? ended(thrown.get(), now) : returned(value, now);
    }

    private ActorResult returned(@Nullable Object value, JavaRun now) {
        Optional<String> text = Optional.ofNullable(value).map(any -> "returned " + any);
        return new ActorResult(Status.COMMITTED, Optional.empty(), counting(text), now.steps());
    }

    private ActorResult ended(Exception thrown, JavaRun now) {
        Optional<String> text =
                Optional.of(ActorResult.THREW + thrown.getClass().getSimpleName() + ": " + thrown.getMessage());
        List<Throwable> causes = causes(thrown);
        Optional<String> state = causes.stream()
                .filter(SQLException.class::isInstance)
                .map(refused -> String.valueOf(((SQLException) refused).getSQLState()))
                .findFirst()
                .map(last ->
                        IN_FAILED_TRANSACTION.equals(last) ? now.whatFailed().orElse(last) : last);
        boolean aborted = state.isPresent()
                || causes.stream()
                        .anyMatch(cause -> stage.race().abortedBy().stream().anyMatch(type -> type.isInstance(cause)));
        return new ActorResult(aborted ? Status.ABORTED : Status.REJECTED, state, counting(text), now.steps());
    }

    private Optional<String> counting(Optional<String> value) {
        return stage.race().valuesCount() ? value : Optional.empty();
    }

    private static List<Throwable> causes(Throwable thrown) {
        List<Throwable> causes = new ArrayList<>();
        for (Throwable cause = thrown; cause != null && causes.size() < DEEPEST_CAUSE; cause = cause.getCause()) {
            causes.add(cause);
        }
        return causes;
    }

    /** Whether it has ever sent anything through a gate. */
    boolean hasTakenSteps() {
        return hasTakenSteps;
    }

    @Override
    public Set<Integer> backends() {
        return gates.sessionsOf(this).stream().map(DriverSession::backend).collect(Collectors.toSet());
    }

    @Override
    public void mayDeadlock(boolean may) {
        JavaRun now = run;
        if (now != null) {
            now.mayDeadlock(may);
        }
    }

    @Override
    public String describeBlock() {
        Set<Integer> own = backends();
        if (stage.control().blockers(own).values().stream().flatMap(Set::stream).anyMatch(own::contains)) {
            return "; it waits for itself: one of its connections for what another one of its connections has locked, which no"
                    + " database can see";
        }
        Thread waiting = thread;
        return waiting == null ? "" : Blocks.describe(waiting);
    }

    /** What it does in the database is cancelled by the controller. */
    @Override
    public void giveUp() {
        Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
    }

    @Override
    public void finish() {
        try {
            for (DriverSession session : gates.sessionsOf(this)) {
                session.rollBack();
            }
        } catch (SQLException e) {
            throw new RaceException("a transaction of " + name + " cannot be rolled back: " + e.getMessage(), e);
        }
    }
}
