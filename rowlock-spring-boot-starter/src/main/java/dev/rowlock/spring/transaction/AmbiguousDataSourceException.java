package dev.rowlock.spring.transaction;

import java.util.Arrays;

/** There are several data sources and none is the primary one, so it is not clear which one Rowlock is to work on. */
final class AmbiguousDataSourceException extends IllegalStateException {
    AmbiguousDataSourceException(String[] names) {
        super("Rowlock works on one data source and there are " + names.length + ", none of them primary: "
                + String.join(", ", Arrays.stream(names).sorted().toList())
                + ". Mark one with @Primary, or define a Rowlock bean over the one that you mean");
    }
}
