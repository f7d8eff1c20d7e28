package dev.rowlock.service.order;

import dev.rowlock.Rowlock;
import dev.rowlock.jobs.Job;
import dev.rowlock.jpa.JpaUnits;
import dev.rowlock.spring.jobs.JobType;
import jakarta.persistence.EntityManagerFactory;
import org.springframework.stereotype.Component;

/**
 * Confirms an order. The job is completed in the transaction that writes the notification: a worker that dies in between leaves
 * neither, and one whose lease has passed to another can write nothing.
 */
@Component
final class Confirmation implements JobType {
    static final String TYPE = "confirm-order";

    private final JpaUnits units;

    Confirmation(Rowlock rowlock, EntityManagerFactory factory) {
        this.units = JpaUnits.over(rowlock, factory);
    }

    @Override
    public String type() {
        return TYPE;
    }

    @Override
    public void run(Job job) {
        long id = Long.parseLong(job.payload());
        units.call((tx, em) -> {
            job.completeIn(tx);
            StoredOrder order = em.find(StoredOrder.class, id);
            if (order == null) {
                throw new IllegalStateException("there is no order " + id + " to confirm");
            }
            Notification notification =
                    new Notification(id, "Order " + id + " is confirmed; " + order.total() + " was paid.");
            em.persist(notification);
            return notification;
        });
    }
}
