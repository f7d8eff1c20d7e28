package dev.rowlock.watch.trace;

import org.jspecify.annotations.Nullable;

/**
 * A place in the program: the innermost one that belongs to no library.
 *
 * @param className with its package
 * @param method its name
 * @param file the name of the source file, if it is known
 * @param line in that file; negative if it is not known
 */
public record Caller(
        String className, String method, @Nullable String file, int line) {
    /** As in a stack trace, so that tools lead to it. */
    @Override
    public String toString() {
        return className + "." + method + "(" + (file == null ? "Unknown Source" : file)
                + (file == null || line < 0 ? "" : ":" + line) + ")";
    }
}
