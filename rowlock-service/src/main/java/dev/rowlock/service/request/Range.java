package dev.rowlock.service.request;

/** The bounds of numbers in requests, and what to say of those outside. */
public final class Range {
    /** 2^53-1: the largest whole number that every JSON reader holds exactly (RFC 8259, section 6). */
    public static final long MAX = 9_007_199_254_740_991L;

    /** For amounts and quantities. */
    public static final String FROM_ONE = "must be from 1 to " + MAX;

    /** For what may be used up: balances, stock, prices. */
    public static final String FROM_ZERO = "must be from 0 to " + MAX;

    /** For what counts up for ever: ids and versions. */
    public static final String POSITIVE = "must be at least 1";

    private Range() {}
}
