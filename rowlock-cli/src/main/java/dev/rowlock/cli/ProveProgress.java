package dev.rowlock.cli;

import dev.rowlock.prover.engine.Progress;
import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Shows how far one scenario is: on a terminal a bar in a line that is erased at the end, otherwise now and then a line on
 * stderr, so that neither a pipe nor the log of a short run has any of it.
 */
final class ProveProgress implements Progress, AutoCloseable {
    private static final long REDRAW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final int BAR = 20;
    private static final String ERASE = "\r\u001b[K";

    private final String scenario;
    private final long most;
    private final Terminal terminal;
    private final PrintWriter out;
    private final PrintWriter err;
    private final LongSupplier nanoTime;
    private final long begin;
    private long shown;
    private boolean drawn;

    /**
     * Begins now.
     *
     * @param most no more than this many schedules will be run
     * @param nanoTime a clock like {@link System#nanoTime}
     */
    ProveProgress(
            String scenario, long most, Terminal terminal, PrintWriter out, PrintWriter err, LongSupplier nanoTime) {
        this.scenario = scenario;
        this.most = most;
        this.terminal = terminal;
        this.out = out;
        this.err = err;
        this.nanoTime = nanoTime;
        this.begin = nanoTime.getAsLong();
        this.shown = begin;
    }

    @Override
    public void ran(long schedules) {
        long now = nanoTime.getAsLong();
        if (now - shown < (terminal.interactive() ? REDRAW_NANOS : LINE_NANOS)) {
            return;
        }
        shown = now;
        if (terminal.interactive()) {
            String line = bar(schedules) + " " + state(schedules, "", now - begin) + "  " + scenario;
            // A line that the terminal itself breaks could not be erased.
            out.print(ERASE + line.substring(0, Math.min(line.length(), terminal.width() - 1)));
            out.flush();
            drawn = true;
        } else {
            err.println(scenario + ": " + state(schedules, " schedules", now - begin));
            err.flush();
        }
    }

    private String state(long schedules, String unit, long elapsedNanos) {
        double perSecond = schedules / (elapsedNanos / (double) TimeUnit.SECONDS.toNanos(1));
        long left = (long) (TimeUnit.SECONDS.toMillis(1) * Math.max(0, most - schedules) / perSecond);
        return schedules + " of at most " + most + unit + ", " + Math.round(perSecond) + "/s, at most "
                + Durations.roughly(left) + " left";
    }

    private String bar(long schedules) {
        int done = (int) Math.min(BAR, BAR * schedules / Math.max(1, most));
        return "[" + "#".repeat(done) + ".".repeat(BAR - done) + "]";
    }

    /** Leaves the terminal as if nothing had been there. */
    @Override
    public void close() {
        if (drawn) {
            out.print(ERASE);
            out.flush();
        }
    }
}
