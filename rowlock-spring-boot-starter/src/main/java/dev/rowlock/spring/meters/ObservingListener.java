package dev.rowlock.spring.meters;

import dev.rowlock.RowlockListener;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * An observation around each unit of work, {@code rowlock.transaction}: a span where tracing is on, with an event for each attempt
 * that lost. A unit of work that is a part of Spring's transaction is in the observations of that.
 */
final class ObservingListener implements RowlockListener {
    private final ObservationRegistry registry;
    /** Units of work over several databases can be inside each other. */
    private final ThreadLocal<Deque<Observation.Scope>> open = ThreadLocal.withInitial(ArrayDeque::new);

    ObservingListener(ObservationRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void onStarted() {
        Observation observation = Observation.start("rowlock.transaction", registry);
        open.get().push(observation.openScope());
    }

    @Override
    public void onFailedAttempt(FailedAttempt attempt) {
        Observation.Scope scope = open.get().peek();
        if (scope != null) {
            scope.getCurrentObservation()
                    .event(Observation.Event.of("rowlock.attempt.failed." + attempt.sqlState(), "attempt lost"));
        }
    }

    @Override
    public void onFinished(Finished finished) {
        Deque<Observation.Scope> scopes = open.get();
        Observation.Scope scope = scopes.poll();
        if (scopes.isEmpty()) {
            open.remove();
        }
        if (scope == null) {
            return;
        }
        Observation observation = scope.getCurrentObservation();
        scope.close();
        observation.lowCardinalityKeyValue("outcome", MeteringListener.outcome(finished));
        observation.lowCardinalityKeyValue("retried", Boolean.toString(finished.attempts() > 1));
        finished.failure().ifPresent(observation::error);
        observation.stop();
    }
}
