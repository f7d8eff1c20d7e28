package dev.rowlock.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A file that an option names, written as a whole or not at all.
 *
 * @param file its absolute path
 */
record WholeFile(Path file) {
    /**
     * Looks at the place before any work is done.
     *
     * @throws Refusal when it cannot be written to
     */
    static WholeFile at(String option, Path given) throws IOException {
        // Behind a link it is the file that is written, and the link stays.
        Path file = Files.exists(given) ? given.toRealPath() : given.toAbsolutePath();
        Path folder = file.getParent();
        if (folder == null
                || !Files.isDirectory(folder)
                || !Files.isWritable(folder)
                || (Files.exists(file) && !Files.isRegularFile(file))) {
            throw new Refusal(option + " " + given + ": this is not a file in a folder that can be written to");
        }
        return new WholeFile(file);
    }

    /** Puts the text there in place of what was there before. */
    void write(String text) throws IOException {
        Path temporary = file.resolveSibling(
                file.getFileName() + "." + ProcessHandle.current().pid() + ".new");
        try {
            Files.writeString(temporary, text);
            Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }
}
