package dev.rowlock.cli;

import java.io.Console;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * What stdout leads to.
 *
 * @param interactive whether a person looks at it, on something that can erase a line
 * @param colour whether colours are welcome
 * @param width characters in a line, 80 to 160; 100 if nothing says how many there are
 * @param unicode whether all characters arrive as they are
 */
record Terminal(boolean interactive, boolean colour, int width, boolean unicode) {
    private static final int NARROWEST = 80;
    private static final int DEFAULT = 100;
    private static final int WIDEST = 160;
    private static final long STTY_SECONDS = 1;

    /** Looks at this process. */
    static Terminal detect() {
        return of(System.getenv(), isTerminal(), Terminal::columnsOfTty, charsetOfStdout());
    }

    static Terminal of(Map<String, String> environment, boolean tty, Supplier<OptionalInt> size, Charset charset) {
        boolean interactive = tty && !"dumb".equals(environment.get("TERM"));
        // https://no-color.org: any value but the empty one.
        boolean colour = interactive && environment.getOrDefault("NO_COLOR", "").isEmpty();
        OptionalInt columns = number(environment.getOrDefault("COLUMNS", ""));
        if (columns.isEmpty() && interactive) {
            columns = size.get();
        }
        int width = Math.min(WIDEST, Math.max(NARROWEST, columns.orElse(DEFAULT)));
        return new Terminal(
                interactive,
                colour,
                width,
                charset.name().toUpperCase(Locale.ROOT).startsWith("UTF-"));
    }

    /**
     * Up to Java 21 there is a console only if stdin and stdout are terminals; later there may always be one, which then can
     * be asked. A piped stdout is no terminal either way, whatever stdin is.
     */
    @SuppressWarnings("SystemConsoleNull") // asked further where it is not null
    private static boolean isTerminal() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            return (Boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException e) {
            return true;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the console does not say whether it is a terminal", e);
        }
    }

    private static Charset charsetOfStdout() {
        String fallback = Charset.defaultCharset().name();
        String name = System.getProperty("stdout.encoding", System.getProperty("sun.stdout.encoding", fallback));
        return Charset.forName(name.isEmpty() ? fallback : name);
    }

    /** How many lines the terminal has; none if that cannot be told. */
    static OptionalInt rows() {
        return number(sizeOfTty().replaceFirst(" .*", ""));
    }

    private static OptionalInt columnsOfTty() {
        return number(sizeOfTty().replaceFirst(".* ", ""));
    }

    /** Shells rarely export COLUMNS and LINES, but stdin is a terminal too, and that can be asked: rows, a blank, columns. */
    private static String sizeOfTty() {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(ProcessBuilder.Redirect.INHERIT)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!stty.waitFor(STTY_SECONDS, TimeUnit.SECONDS)) {
                stty.destroyForcibly();
                return "";
            }
            return new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
        } catch (IOException e) {
            // There is no such program here: the defaults are good enough.
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    private static OptionalInt number(String text) {
        return text.matches("[1-9]\\d{0,4}") ? OptionalInt.of(Integer.parseInt(text)) : OptionalInt.empty();
    }
}
