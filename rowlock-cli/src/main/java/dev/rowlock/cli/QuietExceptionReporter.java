package dev.rowlock.cli;

import org.springframework.boot.SpringBootExceptionReporter;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Claims every failed start as reported: {@link WebService} turns it into the one line that the user reads. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class QuietExceptionReporter implements SpringBootExceptionReporter {
    @Override
    public boolean reportException(Throwable failure) {
        return true;
    }
}
