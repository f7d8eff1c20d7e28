package dev.rowlock.spring.actuate;

import java.util.Map;

/**
 * Adds a part to {@code /actuator/rowlock}: lock waits, findings of an audit. Asked each time somebody looks, so it must be quick; what it
 * throws is told in its place.
 */
public interface RowlockEndpointContributor {
    /** The part's name. */
    String name();

    /** Texts, numbers, and lists and maps of these. */
    Map<String, ?> details();
}
