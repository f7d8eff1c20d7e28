package dev.rowlock.prover.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.prover.engine.PlanReader.Access;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When a condition leaves one row, and when it only looks so. */
class PointsTest {
    private static final Catalog CATALOG = new Catalog(
            Optional.empty(),
            Map.of(),
            Map.of(),
            Map.of(),
            Set.of(),
            Map.of("s.t", Set.of(List.of("id"), List.of("a", "b"))),
            Map.of(),
            Set.of());

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "(t.id = 1)                                      | id=1",
                "(t.id = '1'::bigint)                            | id=1",
                "((t.id = 1) AND (t.n >= 80))                    | id=1",
                "((t.a = 1) AND (t.b = 'x AND (t.id = 2)'::text)) | a=1, b='x AND (t.id = 2)'",
            })
    void allColumnsOfAUniqueIndexEqualToConstantsAreOneRow(String condition, String row) {
        assertThat(row(condition)).hasValue(row);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(t.n = 1)",
                "(t.id > 1)",
                "(t.id = $0)",
                "(t.id = u.id)",
                "(t.id = ANY ('{1,2}'::integer[]))",
                "((t.id = 1) OR (t.n = 2))",
                "(((t.id = 1) AND (t.n = 2)) OR ((t.n = 3) AND (t.n = 4)))",
                "((t.n = 3) OR (t.note = ' AND (t.id = 1) AND '::text))",
                "(NOT (t.id = 1))",
                "(u.id = 1)",
                "(abs(t.id) = 1)",
                "(t.a = 1)",
            })
    void anythingElseMayBeMore(String condition) {
        assertThat(row(condition)).isEmpty();
    }

    @Test
    void conjunctsAreSplitAtTheirOwnLevelOnly() {
        assertThat(Points.conjuncts("((a = 1) AND ((b = 2) OR ((c = 3) AND (d = 4))))"))
                .containsExactly("(a = 1)", "((b = 2) OR ((c = 3) AND (d = 4)))");
        assertThat(Points.conjuncts("(a) OR (b AND c)")).containsExactly("(a) OR (b AND c)");
    }

    private static Optional<String> row(String condition) {
        return Points.row(new Access("s.t", "t", "", false, List.of(condition)), CATALOG);
    }
}
