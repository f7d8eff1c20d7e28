package dev.rowlock.watch.junit;

import dev.rowlock.watch.audit.Finding;
import java.util.List;

/** What a test says that an audit fails. */
final class Message {
    private Message() {}

    static String of(String test, List<Finding> findings) {
        StringBuilder message = new StringBuilder("the lock audit of " + test + " found "
                + (findings.size() == 1 ? "a hazard" : findings.size() + " hazards") + ":\n");
        int number = 0;
        for (Finding finding : findings) {
            number++;
            message.append("\n").append(number).append(". ").append(finding).append("\n");
        }
        Finding first = findings.get(0);
        return message.append("\nIf it is right as it is: @LockAudit(allow = @Allow(value = Hazard.")
                .append(first.hazard())
                .append(", table = \"")
                .append(first.table())
                .append("\", reason = \"…\"))")
                .toString();
    }
}
