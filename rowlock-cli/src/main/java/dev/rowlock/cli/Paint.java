package dev.rowlock.cli;

import dev.rowlock.prover.engine.Drawing;
import java.util.List;

/** Colours for what the program prints, or none. */
final class Paint implements Drawing.Ink {
    private static final String RESET = "\u001b[0m";
    private static final String RED = "31";
    private static final String GREEN = "32";
    private static final String YELLOW = "33";
    private static final String FAINT = "2";
    private static final String BOLD = "1;";
    /** Of the actors in turn; the colours that say something good or bad are not among them. */
    private static final List<String> ACTORS = List.of("36", "35", "34");

    private final boolean colour;

    Paint(boolean colour) {
        this.colour = colour;
    }

    @Override
    public String on(Drawing.Kind kind, int actor, String text) {
        String own = ACTORS.get(actor % ACTORS.size());
        return switch (kind) {
            case ACTOR -> in(BOLD + own, text);
            case STEP -> in(own, text);
            case VALUE -> text;
            case WAIT -> in(YELLOW, text);
            case ERROR -> in(RED, text);
            case END -> in(FAINT, text);
        };
    }

    /** The text in the colour of a verdict's word. */
    String verdict(String word, String text) {
        return in(BOLD + (word.equals("proved") ? GREEN : word.equals("violated") ? RED : YELLOW), text);
    }

    /** Something that must not be overlooked. */
    String alarm(String text) {
        return in(BOLD + RED, text);
    }

    /** Somebody who keeps others waiting. */
    String blocker(String text) {
        return in(BOLD + YELLOW, text);
    }

    /** What is there to be looked up, not to be read. */
    String faint(String text) {
        return in(FAINT, text);
    }

    private String in(String codes, String text) {
        return colour ? "\u001b[" + codes + "m" + text + RESET : text;
    }
}
