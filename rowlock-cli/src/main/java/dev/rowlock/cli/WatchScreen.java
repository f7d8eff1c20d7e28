package dev.rowlock.cli;

import dev.rowlock.watch.waits.LockSnapshot;
import dev.rowlock.watch.waits.Session;
import dev.rowlock.watch.waits.Wait;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A snapshot in lines for people: under each session that blocks others those who wait for it, and so on. */
final class WatchScreen {
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");
    private static final String INDENT = "    ";

    private final Terminal terminal;
    private final Paint paint;
    private final ZoneId zone;
    private final String where;
    private long firstDeadlocks = -1;

    /**
     * A view without any snapshot yet.
     *
     * @param where what is watched, without any password
     */
    WatchScreen(Terminal terminal, ZoneId zone, String where) {
        this.terminal = terminal;
        this.paint = new Paint(terminal.colour());
        this.zone = zone;
        this.where = where;
    }

    /** No line is longer than the terminal is wide. Later snapshots say how many deadlocks came since the first. */
    List<String> lines(LockSnapshot snapshot) {
        if (firstDeadlocks < 0) {
            firstDeadlocks = snapshot.deadlocks();
        }
        List<String> lines = new ArrayList<>();
        lines.add(cut(CLOCK.format(snapshot.takenAt().atZone(zone)) + "  " + where, ""));
        lines.add(summary(snapshot));
        if (!snapshot.complete()) {
            lines.add(paint.faint(
                    cut("what other roles' sessions do is hidden: use a member of pg_monitor to see it", "")));
        }
        for (Set<Integer> ring : snapshot.rings()) {
            lines.add(paint.alarm(
                    cut("deadlock: " + ring + " wait for each other; PostgreSQL ends one of them soon", "")));
        }
        Set<Integer> shown = new HashSet<>();
        for (Integer root : snapshot.roots()) {
            add(lines, snapshot, root, "", shown);
        }
        // Sessions of a ring hang on no root.
        for (Wait wait : snapshot.waits()) {
            add(lines, snapshot, wait.pid(), "", shown);
        }
        return lines;
    }

    private String summary(LockSnapshot snapshot) {
        long since = snapshot.deadlocks() - firstDeadlocks;
        String deadlocks = "deadlocks " + snapshot.deadlocks() + (since > 0 ? " (+" + since + ")" : "");
        if (snapshot.waits().isEmpty()) {
            return "nobody waits   " + deadlocks;
        }
        int waits = snapshot.waits().size();
        return waits + (waits == 1 ? " session waits" : " sessions wait")
                + snapshot.longest()
                        .map(age -> ", the longest for " + Durations.words(age.toMillis()))
                        .orElse("")
                + "   " + deadlocks;
    }

    private void add(List<String> lines, LockSnapshot snapshot, int pid, String indent, Set<Integer> shown) {
        if (!shown.add(pid)) {
            return;
        }
        Optional<Session> session = snapshot.session(pid);
        Optional<Wait> wait = snapshot.waitOf(pid);
        if (indent.isEmpty()) {
            lines.add("");
        }
        String head = indent + name(pid, session);
        lines.add(wait.isEmpty() ? paint.blocker(cut(head, "")) : cut(head, ""));
        wait.ifPresent(one -> lines.add(
                cut(indent + "  waits" + age(one) + " for " + one.lock().describe(), others(one))));
        session.map(Session::sql).ifPresent(sql -> lines.add(paint.faint(cut(indent + "  " + printable(sql), ""))));
        for (Wait waiter : snapshot.blockedBy(pid)) {
            add(lines, snapshot, waiter.pid(), indent + INDENT, shown);
        }
    }

    private static String name(int pid, Optional<Session> session) {
        if (session.isEmpty()) {
            return pid + "  (has gone)";
        }
        Session of = session.get();
        StringBuilder text = new StringBuilder(pid == 0 ? "" : pid + "  ");
        text.append(of.application().isEmpty() ? "(no application name)" : printable(of.application()));
        if (of.user() != null) {
            text.append("  ").append(of.user());
            if (of.client() != null) {
                text.append('@').append(of.client());
            }
        }
        if (of.state() != null) {
            text.append("  ").append(of.state());
        }
        if (of.stateAge() != null) {
            text.append(' ').append(Durations.words(of.stateAge().toMillis()));
        }
        if (of.transactionAge() != null) {
            text.append(", transaction ")
                    .append(Durations.words(of.transactionAge().toMillis()));
        }
        return text.toString();
    }

    private static String age(Wait wait) {
        return wait.age() == null ? "" : " " + Durations.words(wait.age().toMillis());
    }

    private static String others(Wait wait) {
        return wait.blockers().size() < 2 ? "" : "  behind " + wait.blockers();
    }

    /** One line, and no control character: a statement could otherwise draw on this terminal. */
    private static String printable(String text) {
        return text.strip().replaceAll("\\s+", " ").replaceAll("\\p{Cntrl}", "?");
    }

    /** The end stays whole. */
    private String cut(String text, String end) {
        int room = terminal.width() - 1 - end.length();
        return (text.length() <= room ? text : text.substring(0, Math.max(0, room - 3)) + "...") + end;
    }
}
