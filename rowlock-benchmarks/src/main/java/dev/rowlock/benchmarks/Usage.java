package dev.rowlock.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * What the server and this process have used up so far.
 *
 * @param commits transactions of the database that have committed, as far as the server's statistics have them
 * @param walBytes written to the log
 * @param serverCpuNanos processor time of all processes of the server, also of those that have ended; not a number where
 *     the system does not tell (it is read from Linux's /proc)
 * @param clientCpuNanos processor time of this process
 */
record Usage(double commits, double walBytes, double serverCpuNanos, double clientCpuNanos) {
    static final Usage UNKNOWN = new Usage(Double.NaN, Double.NaN, Double.NaN, Double.NaN);

    /** Of all Linux systems that PostgreSQL runs on, whatever the kernel's own clock does (getconf CLK_TCK). */
    private static final double NANOS_PER_TICK = 1e9 / 100;

    static Usage now(Database database) throws SQLException {
        return new Usage(
                database.number("SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"),
                database.number("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')"),
                serverCpu(database.postmasterPid()),
                ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                        ? system.getProcessCpuTime()
                        : Double.NaN);
    }

    /** What was used since then, for each of so many operations. */
    Usage perOperationSince(Usage before, long operations) {
        return new Usage(
                (commits - before.commits) / operations,
                (walBytes - before.walBytes) / operations,
                (serverCpuNanos - before.serverCpuNanos) / operations,
                (clientCpuNanos - before.clientCpuNanos) / operations);
    }

    private static double serverCpu(long postmaster) {
        Optional<ProcessHandle> root = ProcessHandle.of(postmaster);
        if (root.isEmpty() || !Files.isDirectory(Path.of("/proc/self"))) {
            return Double.NaN;
        }
        Deque<Long> open = new ArrayDeque<>();
        open.add(postmaster);
        root.get().descendants().map(ProcessHandle::pid).forEach(open::add);
        double ticks = 0;
        while (!open.isEmpty()) {
            ticks += ticks(open.remove());
        }
        return ticks * NANOS_PER_TICK;
    }

    /** Its own and its dead children's; see proc(5): fields 14 to 17, behind a name that may hold anything. */
    private static double ticks(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return Double.parseDouble(fields[11])
                    + Double.parseDouble(fields[12])
                    + Double.parseDouble(fields[13])
                    + Double.parseDouble(fields[14]);
        } catch (IOException e) {
            // It has ended meanwhile, and its parent has its time.
            return 0;
        }
    }
}
