package dev.rowlock.cli;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.io.FileUtils;
import org.tukaani.xz.XZInputStream;

/** The programs of PostgreSQL as they lie in the jar, one archive per platform. */
final class EngineArchive {
    private static final int ANY_EXECUTE_BIT = 0111;

    private EngineArchive() {}

    /**
     * Unpacks the archive of this machine's platform. The folder appears complete or not at all: a start that is cut off
     * leaves only {@code <folder>.partial}, which the next one throws away.
     */
    static void unpackTo(Path folder) throws IOException {
        Path partial = folder.resolveSibling(folder.getFileName() + ".partial");
        FileUtils.deleteDirectory(partial.toFile());
        Files.createDirectory(partial);
        try (TarArchiveInputStream tar = new TarArchiveInputStream(new XZInputStream(archive()))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                unpack(entry, tar, partial);
            }
        }
        Files.move(partial, folder, StandardCopyOption.ATOMIC_MOVE);
    }

    private static InputStream archive() throws IOException {
        String os = System.getProperty("os.name", "");
        String system = os.startsWith("Mac") ? "Darwin" : os;
        String hardware = System.getProperty("os.arch", "");
        try {
            return new BufferedInputStream(DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(system, hardware));
        } catch (IllegalStateException e) {
            throw new Refusal(
                    "there is no built-in PostgreSQL for " + os + " on " + hardware
                            + "; run one yourself and name it with --url",
                    e);
        }
    }

    private static void unpack(TarArchiveEntry entry, TarArchiveInputStream tar, Path into) throws IOException {
        Path target = into.resolve(entry.getName()).normalize();
        if (!target.startsWith(into)) {
            throw new IOException("archive entry " + entry.getName() + " points outside its folder");
        }
        if (entry.isDirectory()) {
            Files.createDirectories(target);
            return;
        }
        Files.createDirectories(target.resolveSibling("."));
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
        } else if (entry.isFile()) {
            Files.copy(tar, target);
            if ((entry.getMode() & ANY_EXECUTE_BIT) != 0) {
                Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        } else {
            throw new IOException("archive entry " + entry.getName() + " is neither file, folder nor link");
        }
    }
}
