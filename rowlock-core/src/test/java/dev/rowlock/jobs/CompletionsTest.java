package dev.rowlock.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Who is completed with whom, and that each gets its own answer. */
class CompletionsTest {
    private final Queue<List<Long>> transactions = new ConcurrentLinkedQueue<>();
    private final CountDownLatch firstBegun = new CountDownLatch(1);
    private final CountDownLatch letFirstEnd = new CountDownLatch(1);
    private volatile RuntimeException failure = new IllegalStateException("not to be seen");
    private volatile boolean fails;

    /** The first transaction stays open until the test lets it end; odd jobs are another's by now. */
    private final Completions completions = new Completions(claims -> {
        transactions.add(claims.stream().map(Claim::id).toList());
        if (transactions.size() == 1) {
            firstBegun.countDown();
            awaitUninterruptibly(letFirstEnd);
        } else if (fails) {
            throw failure;
        }
        return claims.stream().map(claim -> Completion.of(claim.id() % 2 == 0)).toList();
    });

    private static void awaitUninterruptibly(CountDownLatch latch) {
        boolean interrupted = false;
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static Claim claim(long id) {
        return new Claim(id, "q", "t", "", 1, 1, 1, null, 0);
    }

    /** A thread that completes a job. */
    private final class Caller {
        private final CompletableFuture<Completion> answer = new CompletableFuture<>();
        private final CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        private final Thread thread;

        Caller(long id) {
            thread = new Thread(() -> {
                try {
                    answer.complete(completions.complete(claim(id)));
                } catch (Throwable e) {
                    answer.completeExceptionally(e);
                }
                interrupted.complete(Thread.currentThread().isInterrupted());
            });
            thread.start();
        }

        /** Returns when it waits for its turn. */
        Caller awaitParked() {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .pollInterval(Duration.ofMillis(2))
                    .until(() -> {
                        Object blocker = LockSupport.getBlocker(thread);
                        return blocker != null && blocker.getClass().getName().endsWith("Completions$Caller");
                    });
            return this;
        }
    }

    private List<Caller> firstAndWaiting(long... waiting) throws InterruptedException {
        List<Caller> callers = new ArrayList<>(List.of(new Caller(0)));
        firstBegun.await();
        for (long id : waiting) {
            callers.add(new Caller(id).awaitParked());
        }
        return callers;
    }

    @Test
    void whoIsAloneIsCompletedAtOnce() {
        letFirstEnd.countDown();
        assertThat(completions.complete(claim(2))).isEqualTo(Completion.DONE);
        assertThat(completions.complete(claim(3))).isEqualTo(Completion.STALE);
        assertThat(transactions).containsExactly(List.of(2L), List.of(3L));
    }

    @Test
    void thoseWhoComeMeanwhileAreTheNextTransactionAndEachGetsItsOwnAnswer() throws Exception {
        List<Caller> callers = firstAndWaiting(2, 3, 4);
        assertThat(callers).noneMatch(caller -> caller.answer.isDone());
        letFirstEnd.countDown();
        assertThat(callers.get(0).answer.get()).isEqualTo(Completion.DONE);
        assertThat(callers.get(1).answer.get()).isEqualTo(Completion.DONE);
        assertThat(callers.get(2).answer.get()).isEqualTo(Completion.STALE);
        assertThat(callers.get(3).answer.get()).isEqualTo(Completion.DONE);
        assertThat(transactions).containsExactly(List.of(0L), List.of(2L, 3L, 4L));
        assertThat(completions.complete(claim(6))).isEqualTo(Completion.DONE);
    }

    @Test
    void failureIsToldToAllInItAndToNobodyElse() throws Exception {
        List<Caller> callers = firstAndWaiting(2, 4);
        failure = new IllegalStateException("the row of 4 is locked");
        fails = true;
        letFirstEnd.countDown();
        assertThat(callers.get(0).answer.get()).isEqualTo(Completion.DONE);
        for (Caller caller : callers.subList(1, 3)) {
            assertThatThrownBy(() -> caller.answer.get())
                    .isInstanceOf(ExecutionException.class)
                    .hasCause(failure);
        }
        fails = false;
        assertThat(completions.complete(claim(6))).isEqualTo(Completion.DONE);
    }

    @Test
    void interruptNeitherEndsTheWaitNorIsLost() throws Exception {
        List<Caller> callers = firstAndWaiting(2);
        Caller waiting = callers.get(1);
        waiting.thread.interrupt();
        waiting.awaitParked();
        assertThat(waiting.answer).isNotDone();
        letFirstEnd.countDown();
        assertThat(waiting.answer.get()).isEqualTo(Completion.DONE);
        assertThat(waiting.interrupted.get()).isTrue();
        assertThat(callers.get(0).interrupted.get()).isFalse();
    }
}
