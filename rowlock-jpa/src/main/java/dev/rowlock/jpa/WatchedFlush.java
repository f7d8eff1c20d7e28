package dev.rowlock.jpa;

import java.util.ArrayList;
import java.util.List;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.AutoFlushEvent;
import org.hibernate.event.spi.AutoFlushEventListener;
import org.hibernate.event.spi.EventSource;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.FlushEventListener;

/** Stands around every listener that flushes, because a flush that fails is told by nothing but its error. */
final class WatchedFlush {
    private WatchedFlush() {}

    /** What is deprecated is for want of another use; nothing else tells who is to be stood around. */
    @SuppressWarnings("deprecation")
    static void addTo(EventListenerRegistry registry, JpaConflicts conflicts) {
        List<FlushEventListener> flushing = new ArrayList<>();
        registry.getEventListenerGroup(EventType.FLUSH)
                .listeners()
                .forEach(listener -> flushing.add(event -> watch(() -> listener.onFlush(event), conflicts)));
        registry.setListeners(EventType.FLUSH, flushing.toArray(FlushEventListener[]::new));
        List<AutoFlushEventListener> autoFlushing = new ArrayList<>();
        registry.getEventListenerGroup(EventType.AUTO_FLUSH)
                .listeners()
                .forEach(listener -> autoFlushing.add(new AutoFlush(listener, conflicts)));
        registry.setListeners(EventType.AUTO_FLUSH, autoFlushing.toArray(AutoFlushEventListener[]::new));
    }

    private static void watch(Runnable flush, JpaConflicts conflicts) {
        try {
            flush.run();
        } catch (RuntimeException failure) {
            conflicts.ofFlush(failure);
            throw failure;
        }
    }

    private static final class AutoFlush implements AutoFlushEventListener {
        private static final long serialVersionUID = 1L;

        private final transient AutoFlushEventListener flush;
        private final transient JpaConflicts conflicts;

        AutoFlush(AutoFlushEventListener flush, JpaConflicts conflicts) {
            this.flush = flush;
            this.conflicts = conflicts;
        }

        @Override
        public void onAutoFlush(AutoFlushEvent event) {
            watch(() -> flush.onAutoFlush(event), conflicts);
        }

        /** Hibernate 6 asks for it, 7 has an event of its own. */
        @Override
        public void onAutoPreFlush(EventSource source) {
            flush.onAutoPreFlush(source);
        }
    }
}
