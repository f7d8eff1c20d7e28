package dev.rowlock.prover.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResultTableTest {
    @ParameterizedTest
    @ValueSource(strings = {"1", "-1.5e3", "2020-02-03", "1 2", "1E5", "- 1", "-----1"})
    void whatEndsInADigitAndHasOnlySignsOfNumbersIsToTheRight(String cell) {
        assertThat(table(List.of("a long title"), List.of(List.of(cell))))
                .contains("\n" + " ".repeat(12 - cell.length()) + cell);
    }

    @ParameterizedTest
    @ValueSource(strings = {"e1", "E1", "1e", "1.", "-", "x", "1:2", "1€", "+1", "1 "})
    void everythingElseIsToTheLeft(String cell) {
        assertThat(table(List.of("a long title"), List.of(List.of(cell)))).contains("\n" + cell + " ");
    }

    @Test
    void oneTextPutsItsWholeColumnToTheLeft() {
        assertThat(table(List.of("a"), List.of(List.of("10"), List.of("x")))).isEqualTo("a \n--\n10\nx \n(2 rows)\n\n");
    }

    @Test
    void nullLooksLikeAnEmptyText() {
        assertThat(table(List.of("a", "b"), List.of(Arrays.asList(null, ""), List.of("1", "t"))))
                .isEqualTo("a|b\n-+-\n | \n1|t\n(2 rows)\n\n");
    }

    @Test
    void widthsCountBytes() {
        assertThat(table(List.of("a", "b"), List.of(List.of("€", "2")))).isEqualTo("a  |b\n---+-\n€|2\n(1 row)\n\n");
    }

    @Test
    void noRowsStillHaveAHead() {
        assertThat(table(List.of("a", "bc"), List.of())).isEqualTo("a|bc\n-+--\n(0 rows)\n\n");
    }

    @Test
    void rowsWithoutColumnsAreNothing() {
        assertThat(table(List.of(), List.of(List.of()))).isEmpty();
    }

    private static String table(List<String> columns, List<List<String>> rows) {
        StringBuilder out = new StringBuilder();
        ResultTable.write(new Answer.Rows(columns, rows), out::append);
        return out.toString();
    }
}
