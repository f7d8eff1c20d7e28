package dev.rowlock.service.order;

import dev.rowlock.Row;
import dev.rowlock.Rowlock;
import dev.rowlock.Table;
import dev.rowlock.jobs.Job;
import dev.rowlock.spring.jobs.JobType;
import org.springframework.stereotype.Component;

/**
 * Confirms an order. The job is completed in the transaction that writes the notification: a worker that dies in between leaves
 * neither, and one whose lease has passed to another can write nothing.
 */
@Component
final class Confirmation implements JobType {
    static final String TYPE = "confirm-order";

    private static final Table NOTIFICATIONS = Table.of("notification", "order_id");

    private final Rowlock rowlock;

    Confirmation(Rowlock rowlock) {
        this.rowlock = rowlock;
    }

    @Override
    public String type() {
        return TYPE;
    }

    @Override
    public void run(Job job) {
        long id = Long.parseLong(job.payload());
        rowlock.run(tx -> {
            job.completeIn(tx);
            Row order = tx.peek(OrderService.ORDERS, id)
                    .orElseThrow(() -> new IllegalStateException("there is no order " + id + " to confirm"));
            tx.insert(NOTIFICATIONS)
                    .set("order_id", id)
                    .set("text", "Order " + id + " is confirmed; " + order.getLong("total") + " was paid.")
                    .apply();
        });
    }
}
