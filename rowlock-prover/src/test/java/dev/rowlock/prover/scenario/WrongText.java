package dev.rowlock.prover.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Checks the error of a text in which a {@code ▲}, which is not part of it, marks the place that the error must point at. */
final class WrongText {
    private static final String MARK = "▲";

    private WrongText() {}

    static void requireError(String marked, String expected, String found) {
        String before = marked.substring(0, marked.indexOf(MARK));
        ScenarioException e = failure(marked.replace(MARK, ""));
        assertThat(e.line())
                .isEqualTo(1 + (int) before.chars().filter(c -> c == '\n').count());
        assertThat(e.column()).isEqualTo(before.length() - before.lastIndexOf('\n'));
        assertThat(e.expected()).isEqualTo(expected);
        assertThat(e.found()).isEqualTo(found);
        assertThat(e).hasMessage(e.position() + ": expected " + expected + ", found " + found);
    }

    static ScenarioException failure(String text) {
        ScenarioException e = catchThrowableOfType(ScenarioException.class, () -> Samples.parse(text));
        assertThat(e).as("the error in %s", text).isNotNull();
        return e;
    }
}
