package dev.rowlock.prover.engine;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Tells what a thread waits for that neither stands at a gate nor waits for another actor in the database. */
final class Blocks {
    private static final int FRAMES = 6;

    private Blocks() {}

    static String describe(Thread thread) {
        StackTraceElement[] stack = thread.getStackTrace();
        if (Arrays.stream(stack).anyMatch(frame -> frame.getClassName().startsWith("org.postgresql."))) {
            return "; its statement is still running in the database";
        }
        ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(thread.getId());
        String owner = info == null || info.getLockOwnerName() == null
                ? ""
                : ", for a lock that " + info.getLockOwnerName() + " holds";
        String frames = Arrays.stream(stack)
                .takeWhile(frame -> !frame.getClassName().startsWith("dev.rowlock.prover.engine."))
                .filter(frame -> !frame.getClassName().startsWith("java.")
                        && !frame.getClassName().startsWith("jdk.")
                        && !frame.getClassName().contains("$$Lambda"))
                .limit(FRAMES)
                .map(frame -> frame.getClassName() + "." + frame.getMethodName() + "(" + frame.getFileName() + ":"
                        + frame.getLineNumber() + ")")
                .collect(Collectors.joining(", called by "));
        return "; it does not wait in the database but in the JVM (" + thread.getState() + owner + ") at " + frames;
    }
}
