package dev.rowlock.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;

/**
 * The folder that outlives the program, and the right to use it: whoever holds an instance is the only process that
 * touches what lies inside.
 *
 * <pre>
 * lock          locked by the serving process, which wrote its id into it
 * ready         exists once the first start was complete
 * password      of the superuser, readable by the owner only
 * postgres/     PostgreSQL's data directory
 * postgres.log  what PostgreSQL said since this start; postgres.log.1 since the one before
 * engine-*&#47;     the unpacked programs of PostgreSQL
 * </pre>
 */
final class DataFolder implements AutoCloseable {
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    private static final int PASSWORD_BYTES = 24;
    private static final String UNQUOTABLE = "\"$`\\\n";

    private final Path root;
    private final FileChannel lockFile;

    private DataFolder(Path root, FileChannel lockFile) {
        this.root = root;
        this.lockFile = lockFile;
    }

    /** Creates the folder where it is missing and takes its lock; a second process is refused, never kept waiting. */
    static DataFolder open(Path folder) {
        Path absolute = folder.toAbsolutePath().normalize();
        if (UNQUOTABLE.chars().anyMatch(c -> absolute.toString().indexOf(c) >= 0)) {
            throw new Refusal("data folder " + absolute + ": PostgreSQL's own tools cannot handle a path with any of"
                    + " \" $ ` \\ or a line break; choose another --data-dir");
        }
        try {
            createPrivately(absolute);
            Path root = absolute.toRealPath();
            return new DataFolder(root, lock(root));
        } catch (IOException e) {
            throw unusable(absolute, e);
        }
    }

    /** A refusal that names the folder and the reason. */
    static Refusal unusable(Path folder, IOException failure) {
        String reason = failure instanceof AccessDeniedException
                ? "permission denied for " + failure.getMessage()
                : failure instanceof FileAlreadyExistsException
                        ? failure.getMessage() + " is not a folder"
                        : failure instanceof FileSystemException fs && fs.getReason() != null
                                ? fs.getFile() + ": " + fs.getReason()
                                : Refusal.reason(failure);
        return new Refusal(
                "cannot use data folder " + folder + ": " + reason + "; name a writable one with --data-dir", failure);
    }

    private static void createPrivately(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return;
        }
        Path parent = folder.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        try {
            Files.createDirectory(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (FileAlreadyExistsException e) {
            // Another start may have been quicker; which of the two goes on is for the lock to say.
            if (!Files.isDirectory(folder)) {
                throw e;
            }
        }
    }

    private static FileChannel lock(Path root) throws IOException {
        Path path = root.resolve("lock");
        FileChannel channel =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock == null) {
                String holder = Files.readString(path, StandardCharsets.UTF_8).strip();
                throw new Refusal("data folder " + root + " is in use by process "
                        + (holder.isEmpty() ? "(unknown)" : holder) + "; stop that one or choose another --data-dir");
            }
            channel.truncate(0);
            channel.write(StandardCharsets.UTF_8.encode(ProcessHandle.current().pid() + "\n"), 0);
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    Path root() {
        return root;
    }

    Path data() {
        return root.resolve("postgres");
    }

    Path log() {
        return root.resolve("postgres.log");
    }

    Path passwordFile() {
        return root.resolve("password");
    }

    boolean isReady() {
        return Files.exists(root.resolve("ready"));
    }

    /** Writes down, durably, that {@link #data()} is complete. */
    void markReady(String postgresVersion) throws IOException {
        try (FileChannel channel =
                FileChannel.open(root.resolve("ready"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.write(StandardCharsets.UTF_8.encode(postgresVersion + "\n"), 0);
            channel.force(true);
        }
    }

    /** Draws the superuser's password at the first start; it never changes afterwards. */
    void createPassword() throws IOException {
        if (Files.exists(passwordFile()) && Files.size(passwordFile()) > 0) {
            return;
        }
        byte[] bytes = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(bytes);
        Files.deleteIfExists(passwordFile());
        try (FileChannel channel = FileChannel.open(
                passwordFile(),
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(OWNER_ONLY))) {
            channel.write(ByteBuffer.wrap((HexFormat.of().formatHex(bytes) + "\n").getBytes(StandardCharsets.UTF_8)));
            channel.force(true);
        }
    }

    String password() throws IOException {
        return Files.readString(passwordFile(), StandardCharsets.UTF_8).strip();
    }

    /** Gives the lock back; the file stays, so that every process locks the same one. */
    @Override
    public void close() throws IOException {
        lockFile.close();
    }
}
