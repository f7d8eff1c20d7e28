package dev.rowlock.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What {@code postmaster.pid} says about the server of a data directory. The file survives a crash, and the system may
 * have given the process id to somebody else since.
 *
 * @param pid the id of the server's main process when the file was written
 * @param port the port it was to listen on; 0 when the server had not got that far
 */
record Postmaster(long pid, int port) {
    private static final int PORT_LINE = 3;

    static Path file(Path data) {
        return data.resolve("postmaster.pid");
    }

    /** Empty when there is no such file, or none with a process id in it. */
    static Optional<Postmaster> of(Path data) throws IOException {
        if (!Files.exists(file(data))) {
            return Optional.empty();
        }
        List<String> lines = Files.readAllLines(file(data), StandardCharsets.UTF_8);
        if (lines.isEmpty() || !lines.get(0).strip().matches("-?\\d{1,18}")) {
            return Optional.empty();
        }
        long pid = Math.abs(Long.parseLong(lines.get(0).strip()));
        boolean knowsPort = lines.size() > PORT_LINE && lines.get(PORT_LINE).matches("\\d{1,5}");
        return Optional.of(new Postmaster(pid, knowsPort ? Integer.parseInt(lines.get(PORT_LINE)) : 0));
    }

    Optional<ProcessHandle> process() {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive);
    }

    /** Whether a process looks like a server somebody else started on this very data directory. */
    static boolean serves(ProcessHandle process, Path data) {
        return process.info()
                .arguments()
                .filter(arguments -> Arrays.asList(arguments).contains(data.toString()))
                .isPresent();
    }
}
