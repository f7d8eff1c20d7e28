package dev.rowlock.prover.transcript;

import dev.rowlock.prover.scenario.Blocker;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** Waits for steps that have been sent, reports them as waiting or finished, and cancels those that take too long. */
final class StepWatch {
    /** Also the rhythm in which the server is asked for locks: the expected transcripts were made with it. */
    private static final Duration GLANCE = Duration.ofMillis(10);

    /** What the caller allows. */
    enum Patience {
        /** To come back when the step waits for a lock. */
        UNTIL_BLOCKED,
        /** Only to come back when the server has answered. */
        UNTIL_ANSWERED
    }

    private final Lineup lineup;
    private final Permutations permutations;
    private final Printer out;
    private final Duration limit;

    StepWatch(Lineup lineup, Permutations permutations, Printer out, Duration limit) {
        this.lineup = lineup;
        this.permutations = permutations;
        this.out = out;
        this.limit = limit;
    }

    /** Sends it, and remembers how many notices what holds it back counts up to. */
    void start(PlannedStep step) throws IOException {
        Member member = lineup.member(step.session());
        if (member.session().isLost()) {
            throw new TranscriptException(
                    "failed to send query for step " + step.name() + ": no connection to the server\n\n");
        }
        member.session().send(step.sql());
        member.start(step);
        for (Blocker blocker : step.blockers()) {
            if (blocker instanceof Blocker.Notices notices) {
                member.awaitNotices(
                        notices, notices.count() + memberOf(notices.step()).notices());
            }
        }
    }

    /** The first look at a step that was just started; whether it is finished. */
    boolean look(PlannedStep step) throws IOException {
        boolean shownWaiting = step.blockers().stream().anyMatch(Blocker.Any.class::isInstance);
        if (shownWaiting || !answers(step, Patience.UNTIL_BLOCKED) || isHeldBack(step)) {
            out.print("step " + step.name() + ": " + step.sql() + " <waiting ...>\n");
            return false;
        }
        finish(step, step.sql());
        return true;
    }

    /** Another look at a step that was reported as waiting; whether it is finished now. */
    boolean lookAgain(PlannedStep step, Patience patience) throws IOException {
        if (!answers(step, patience) || isHeldBack(step)) {
            return false;
        }
        finish(step, "<... completed>");
        return true;
    }

    /** Looks at all of them again and takes those out that are finished. One that finishes may release one before it. */
    void lookAgain(List<PlannedStep> waiting, Patience patience) throws IOException {
        boolean again = true;
        while (again) {
            lineup.takeNoticed();
            int before = waiting.size();
            for (Iterator<PlannedStep> steps = waiting.iterator(); steps.hasNext(); ) {
                if (lookAgain(steps.next(), patience)) {
                    steps.remove();
                }
            }
            boolean anyHeldBack =
                    waiting.stream().anyMatch(step -> !step.blockers().isEmpty());
            again = anyHeldBack && (waiting.size() < before || lineup.takeNoticed());
        }
    }

    /** Whether the step's first answer is there; if not, it waits for a lock. */
    private boolean answers(PlannedStep step, Patience patience) throws IOException {
        Member member = lineup.member(step.session());
        PgSession session = member.session();
        long begin = System.nanoTime();
        boolean cancelled = false;
        while (session.isBusy()) {
            if (session.isLost()) {
                throw new TranscriptException("the server has closed the connection in step " + step.name() + "\n");
            }
            if (session.await(GLANCE)) {
                continue;
            }
            if (patience == Patience.UNTIL_BLOCKED && lineup.isBlocked(member)) {
                // Notices may have come while the server was asked, and they go in front.
                session.receive();
                return !session.isBusy();
            }
            Duration spent = Duration.ofNanos(System.nanoTime() - begin);
            if (!cancelled && spent.compareTo(limit) > 0) {
                session.cancel();
                cancelled = true;
                out.print("isolationtester: canceling step " + step.name() + " after " + spent.toSeconds()
                        + " seconds\n");
            }
            if (spent.compareTo(limit.multipliedBy(2)) > 0) {
                throw new TranscriptException(timedOut(step, spent));
            }
        }
        return true;
    }

    static String timedOut(PlannedStep step, Duration spent) {
        return "step " + step.name() + " timed out after " + spent.toSeconds() + " seconds\n";
    }

    private boolean isHeldBack(PlannedStep step) {
        for (Blocker blocker : step.blockers()) {
            if (blocker instanceof Blocker.Step other) {
                PlannedStep active = memberOf(other.step()).active();
                if (active != null && active.name().equals(other.step())) {
                    return true;
                }
            } else if (blocker instanceof Blocker.Notices notices) {
                int target = lineup.member(step.session()).awaitedNotices(notices);
                if (memberOf(notices.step()).notices() < target) {
                    return true;
                }
            }
        }
        return false;
    }

    private void finish(PlannedStep step, String how) throws IOException {
        Member member = lineup.member(step.session());
        PgSession session = member.session();
        out.print("step " + step.name() + ": " + how + "\n");
        for (Optional<Answer> answer = next(session); answer.isPresent(); answer = next(session)) {
            if (answer.get() instanceof Answer.Rows rows) {
                out.print(rows);
            } else if (answer.get() instanceof Answer.Failed failed) {
                out.print(failed.brief() + "\n");
            }
        }
        for (Optional<PgSession.Notification> heard = session.takeNotification();
                heard.isPresent();
                heard = session.takeNotification()) {
            PgSession.Notification notify = heard.get();
            out.print(member.name() + ": NOTIFY \"" + notify.channel() + "\" with payload \"" + notify.payload()
                    + "\" from " + lineup.nameOf(notify.pid()) + "\n");
        }
        member.finish();
    }

    private Optional<Answer> next(PgSession session) throws IOException {
        return session.next(limit.multipliedBy(2));
    }

    private Member memberOf(String step) {
        return lineup.member(permutations.sessionOf(step));
    }
}
