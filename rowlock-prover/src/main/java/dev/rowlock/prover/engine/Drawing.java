package dev.rowlock.prover.engine;

import dev.rowlock.prover.engine.ActorResult.StepResult;
import dev.rowlock.prover.engine.Timeline.Moment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Draws a schedule for people: one column for each actor, time downwards, what was read, who had to wait and until when. Nothing
 * is cut: what is wider than its column is wrapped.
 */
public final class Drawing {
    private static final int DEFAULT_WIDTH = 100;
    private static final int NARROWEST_COLUMN = 16;
    private static final int MOST_ROWS = 10;
    private static final String GAP = "  ";

    private final List<String> actors;
    private final Style style;
    private final List<String> lines = new ArrayList<>();
    private int column;

    /** What a piece of the drawing says. */
    public enum Kind {
        /** An actor's name above its column. */
        ACTOR,
        /** A step and its SQL. */
        STEP,
        /** What a step read. */
        VALUE,
        /** That an actor waits. */
        WAIT,
        /** An error of the database. */
        ERROR,
        /** How an actor ended well. */
        END
    }

    /** Colours pieces of text. */
    @FunctionalInterface
    public interface Ink {
        /** The text, with marks around it that take no room. */
        String on(Kind kind, int actor, String text);
    }

    /**
     * How it looks.
     *
     * @param width the most characters in a line, unless there are too many actors for it
     * @param unicode whether characters outside ASCII may be used
     * @param ink for colours
     */
    public record Style(int width, boolean unicode, Ink ink) {
        /** 100 characters, without colours. */
        public static final Style PLAIN = new Style(DEFAULT_WIDTH, true, (kind, actor, text) -> text);

        String waiting() {
            return unicode ? "┆" : ":";
        }
    }

    private record Piece(Kind kind, String text) {}

    private Drawing(List<String> actors, Style style) {
        this.actors = actors;
        this.style = style;
    }

    /** The lines of the drawing in {@link Style#PLAIN}, without line ends. */
    public static List<String> of(List<String> actors, Execution execution) {
        return of(actors, execution, Style.PLAIN);
    }

    /** The lines of the drawing, without line ends. */
    public static List<String> of(List<String> actors, Execution execution, Style style) {
        return new Drawing(actors, style).draw(execution);
    }

    private List<String> draw(Execution execution) {
        List<Moment> moments = Timeline.of(execution);
        List<List<Piece>> cells = moments.stream().map(this::cell).toList();
        List<List<Piece>> heads = actors.stream()
                .map(actor -> List.of(new Piece(Kind.ACTOR, actor)))
                .toList();
        List<List<Piece>> ends =
                execution.results().stream().map(Drawing::end).map(List::of).toList();
        column = columnWidth(Stream.of(cells, heads, ends).flatMap(List::stream));
        String rule = "-".repeat(actors.size() * (column + GAP.length()) - GAP.length());
        block(heads);
        lines.add(rule);
        for (int i = 0; i < moments.size(); i++) {
            block(moments.get(i), wrapped(cells.get(i)));
        }
        lines.add(rule);
        block(ends);
        return lines;
    }

    private List<Piece> cell(Moment moment) {
        List<Piece> pieces = new ArrayList<>();
        String name = moment.step();
        if (moment.begins()) {
            String sql = moment.result().map(Timeline::sql).orElse("");
            pieces.add(new Piece(Kind.STEP, name + (sql.isEmpty() ? "" : ": " + sql)));
        } else {
            pieces.add(new Piece(Kind.WAIT, style.waiting() + " " + name + " goes on"));
        }
        if (moment.ends()) {
            moment.result().ifPresent(result -> results(result, pieces));
        } else {
            String others = moment.waitsFor().stream().map(actors::get).collect(Collectors.joining(", "));
            pieces.add(new Piece(Kind.WAIT, style.waiting() + " waits for " + others));
        }
        return pieces;
    }

    private static void results(StepResult result, List<Piece> pieces) {
        result.rows().stream()
                .limit(MOST_ROWS)
                .forEach(row -> pieces.add(new Piece(Kind.VALUE, "-> " + String.join(" | ", row))));
        int more = result.rows().size() - MOST_ROWS;
        if (more > 0) {
            pieces.add(new Piece(Kind.VALUE, "-> and " + more + " more rows"));
        }
        result.error().ifPresent(error -> pieces.add(new Piece(Kind.ERROR, "!! " + error)));
    }

    private static Piece end(ActorResult result) {
        return new Piece(result.status() == ActorResult.Status.ABORTED ? Kind.ERROR : Kind.END, Timeline.end(result));
    }

    /** As wide as the widest piece, if all columns fit into the style's width that way. */
    private int columnWidth(Stream<List<Piece>> cells) {
        int available = (style.width() + GAP.length()) / Math.max(1, actors.size()) - GAP.length();
        int longest = cells.flatMap(List::stream)
                .mapToInt(piece -> piece.text().length())
                .max()
                .orElse(0);
        return Math.min(longest, Math.max(NARROWEST_COLUMN, available));
    }

    private List<Piece> wrapped(List<Piece> pieces) {
        return pieces.stream()
                .flatMap(piece ->
                        Wrapping.wrap(piece.text(), column).stream().map(line -> new Piece(piece.kind(), line)))
                .toList();
    }

    /** A moment in its actor's column, beside the marks of those who wait. */
    private void block(Moment moment, List<Piece> pieces) {
        List<List<Piece>> columns = new ArrayList<>();
        for (int i = 0; i < actors.size(); i++) {
            Piece mark = new Piece(Kind.WAIT, style.waiting());
            columns.add(
                    i == moment.actor()
                            ? pieces
                            : moment.waiting().contains(i) ? Collections.nCopies(pieces.size(), mark) : List.of());
        }
        block(columns);
    }

    private void block(List<List<Piece>> columns) {
        List<List<Piece>> wrapped = columns.stream().map(this::wrapped).toList();
        int height = wrapped.stream().mapToInt(List::size).max().orElse(0);
        for (int row = 0; row < height; row++) {
            StringBuilder line = new StringBuilder();
            int missing = 0;
            for (int i = 0; i < wrapped.size(); i++) {
                if (row < wrapped.get(i).size()) {
                    Piece piece = wrapped.get(i).get(row);
                    line.append(" ".repeat(missing)).append(style.ink().on(piece.kind(), i, piece.text()));
                    missing = column - piece.text().length() + GAP.length();
                } else {
                    missing += column + GAP.length();
                }
            }
            lines.add(line.toString());
        }
    }
}
