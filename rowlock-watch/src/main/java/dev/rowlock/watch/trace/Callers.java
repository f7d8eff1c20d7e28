package dev.rowlock.watch.trace;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Finds the innermost frame of a stack that belongs to no library. */
final class Callers {
    /** Deeper frames are not looked at. */
    static final int DEEPEST = 256;

    private static final String ROWLOCK = "dev.rowlock.";

    /** Generated classes could be without number. */
    private static final int MOST_KNOWN = 10_000;

    /** Whether classes whose names begin so are passed over; the longest that fits decides. */
    private final Map<String, Boolean> skipped;

    /** What was decided before. */
    private final Map<String, Boolean> known = new ConcurrentHashMap<>();

    Callers(Map<String, Boolean> skipped) {
        this.skipped = Map.copyOf(skipped);
    }

    Optional<Caller> find(StackTraceElement[] stack) {
        return Arrays.stream(stack)
                .limit(DEEPEST)
                .filter(frame -> isOfProgram(frame.getClassName()))
                .findFirst()
                .map(frame -> new Caller(
                        frame.getClassName(), frame.getMethodName(), frame.getFileName(), frame.getLineNumber()));
    }

    /** The package at the root of Rowlock, whose name is the beginning of every other one. */
    private static boolean isOfRowlockItself(String className) {
        return className.startsWith(ROWLOCK) && className.indexOf('.', ROWLOCK.length()) < 0;
    }

    private boolean isOfProgram(String className) {
        Boolean decided = known.get(className);
        if (decided == null) {
            if (known.size() >= MOST_KNOWN) {
                known.clear();
            }
            decided = decide(className);
            known.put(className, decided);
        }
        return decided;
    }

    private boolean decide(String className) {
        int longest = -1;
        boolean skip = isOfRowlockItself(className);
        for (Map.Entry<String, Boolean> one : skipped.entrySet()) {
            if (one.getKey().length() > longest && className.startsWith(one.getKey())) {
                longest = one.getKey().length();
                skip = one.getValue();
            }
        }
        return !skip;
    }
}
