package dev.rowlock.spring.http;

/** Hears of conflicts and database trouble that reached a client, for meters. It throws nothing. */
@FunctionalInterface
public interface ConflictListener {
    /** A request was answered so. */
    void onAnswered(ProblemKind kind);
}
