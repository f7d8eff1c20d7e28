package dev.rowlock.counter;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The answer to come of a request without a thread; cancelling it takes the request out of the queue. */
final class Stage<T> extends CompletableFuture<T> {
    private final Combiner combiner;
    private final Request request;

    Stage(Combiner combiner, Request request, Function<Changes, T> view) {
        this.combiner = combiner;
        this.request = request;
        var unused = request.answer().whenComplete((changes, error) -> {
            if (error == null) {
                complete(view.apply(changes));
            } else {
                completeExceptionally(error);
            }
        });
    }

    /** Returns false, and the answer comes, if the request was begun already. */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return isCancelled() || (combiner.withdraw(request) && super.cancel(mayInterruptIfRunning));
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }
}
