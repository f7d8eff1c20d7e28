package dev.rowlock.prover.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueryPlaceTest {
    private static final String LONG = "0123456789".repeat(12);

    @Test
    void markStandsBelowThePlace() {
        assertThat(QueryPlace.show("SELECT x;", 8)).isEqualTo("LINE 1: SELECT x;\n               ^\n");
    }

    @Test
    void lineIsThatOfThePlaceAndTabsBecomeBlanks() {
        assertThat(QueryPlace.show("SELECT\r\n\t\tx\n;", 11)).isEqualTo("LINE 2:   x\n          ^\n");
    }

    @Test
    void placeMayBeBehindTheLastCharacter() {
        assertThat(QueryPlace.show("SELECT", 7)).isEqualTo("LINE 1: SELECT\n              ^\n");
    }

    @Test
    void characterBeyondTheFirstPlaneIsOneCharacter() {
        assertThat(QueryPlace.show("'\uD83D\uDE00' x", 5)).isEqualTo("LINE 1: '\uD83D\uDE00' x\n            ^\n");
    }

    @Test
    void rightSideIsCutFirst() {
        assertThat(QueryPlace.show(LONG, 51))
                .isEqualTo("LINE 1: " + LONG.substring(0, 60) + "...\n" + " ".repeat(8 + 50) + "^\n");
    }

    @Test
    void leftSideIsCutWhereThePlaceIsFarToTheRight() {
        assertThat(QueryPlace.show(LONG, 81))
                .isEqualTo("LINE 1: ..." + LONG.substring(30, 90) + "...\n" + " ".repeat(11 + 50) + "^\n");
    }

    @Test
    void nothingIsCutAtTheRightBehindAPlaceNearTheEnd() {
        assertThat(QueryPlace.show(LONG, 119))
                .isEqualTo("LINE 1: ..." + LONG.substring(60) + "\n" + " ".repeat(11 + 58) + "^\n");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 8, Integer.MAX_VALUE})
    void noSuchPlaceShowsNothing(int position) {
        assertThat(QueryPlace.show("SELECT", position)).isEmpty();
    }
}
