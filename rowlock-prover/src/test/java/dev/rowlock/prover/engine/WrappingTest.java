package dev.rowlock.prover.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WrappingTest {
    @Test
    void shortTextIsOneLine() {
        assertThat(Wrapping.wrap("SELECT 1", 8)).containsExactly("SELECT 1");
        assertThat(Wrapping.wrap("", 8)).containsExactly("");
    }

    @Test
    void longTextIsBrokenBetweenWordsAndIndented() {
        assertThat(Wrapping.wrap("SELECT a FROM t WHERE id = 1", 10))
                .containsExactly("SELECT a", "  FROM t", "  WHERE id", "  = 1");
    }

    @Test
    void wordThatIsTooWideIsBrokenAndNothingIsLost() {
        assertThat(Wrapping.wrap("abcdefghijklmnop", 6)).containsExactly("abcdef", "  ghij", "  klmn", "  op");
    }

    @Test
    void lineMayEndExactlyAtTheWidth() {
        assertThat(Wrapping.wrap("abcd efgh", 4)).containsExactly("abcd", "  ef", "  gh");
    }
}
