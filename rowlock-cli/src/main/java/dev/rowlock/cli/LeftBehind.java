package dev.rowlock.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.function.Consumer;

/** What the last Rowlock left in a data folder, and what has to be put right before the next one uses it. */
final class LeftBehind {
    private static final int SET_ASIDE_LIMIT = 100;

    private final DataFolder folder;
    private final Engine engine;
    private final Consumer<String> notices;

    LeftBehind(DataFolder folder, Engine engine, Consumer<String> notices) {
        this.folder = folder;
        this.engine = engine;
        this.notices = notices;
    }

    /**
     * A killed Rowlock leaves its PostgreSQL running. We hold the folder's lock, so nobody needs that server any more;
     * the only other owner there can be is one that somebody started by hand.
     */
    void stopServer() throws IOException {
        Optional<Postmaster> written = Postmaster.of(folder.data());
        Optional<ProcessHandle> alive = written.flatMap(Postmaster::process);
        if (engine.processes().findAny().isPresent()) {
            notices.accept("stopping the PostgreSQL that a killed Rowlock left running in " + folder.root());
            engine.stopServer(written, LocalDatabase.STOP_LIMIT);
        } else if (alive.isPresent() && Postmaster.serves(alive.get(), folder.data())) {
            throw new Refusal("data folder " + folder.root() + " is in use by process "
                    + alive.get().pid() + ", a server that Rowlock did not start; stop that one first");
        } else if (alive.isPresent()) {
            // The id now belongs to a stranger. PostgreSQL would take it for a living server and refuse to start.
            Files.delete(Postmaster.file(folder.data()));
        }
    }

    /** A data directory without the ready marker never served a request: its first start was cut off. */
    void setIncompleteAside() throws IOException {
        if (!Files.exists(folder.data()) || folder.isReady()) {
            return;
        }
        for (int n = 1; n <= SET_ASIDE_LIMIT; n++) {
            Path aside = folder.root().resolve("postgres.incomplete-" + n);
            if (!Files.exists(aside)) {
                Files.move(folder.data(), aside, StandardCopyOption.ATOMIC_MOVE);
                notices.accept("the first start on " + folder.root() + " was cut off before it served anything;"
                        + " starting afresh (what was there is now " + aside.getFileName() + ")");
                return;
            }
        }
        throw new Refusal("data folder " + folder.root() + " holds " + SET_ASIDE_LIMIT
                + " unfinished first starts (postgres.incomplete-*); remove them and try again");
    }

    /** Refuses data of another major version, and data that cannot be opened. */
    void requireUsable(String major) throws IOException {
        Path file = folder.data().resolve("PG_VERSION");
        if (!Files.exists(file)) {
            throw new Refusal(
                    folder.data() + " is not a PostgreSQL data directory (no PG_VERSION); choose another --data-dir");
        }
        String found = Files.readString(file, StandardCharsets.UTF_8).strip();
        if (!found.equals(major)) {
            throw new Refusal(folder.data() + " was written by PostgreSQL " + found + ", this Rowlock brings "
                    + major + "; serve it with a PostgreSQL " + found
                    + " and --url, or choose another --data-dir");
        }
        if (!Files.exists(folder.passwordFile())) {
            throw new Refusal(folder.passwordFile() + " is missing; without it " + folder.data()
                    + " cannot be opened, so put it back or choose another --data-dir");
        }
    }
}
