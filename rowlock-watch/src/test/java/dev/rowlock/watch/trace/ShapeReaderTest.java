package dev.rowlock.watch.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.watch.trace.SqlShape.Assignment;
import dev.rowlock.watch.trace.SqlShape.Trait;
import dev.rowlock.watch.trace.SqlShape.Verb;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a text tells is told, and what it does not is not made up. */
class ShapeReaderTest {
    private static SqlShape read(String sql) {
        List<SqlShape> shapes = ShapeReader.read(sql);
        assertThat(shapes).hasSize(1);
        return shapes.get(0);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            SELECT * FROM a                                      | SELECT   | -
            (SELECT * FROM a)                                    | SELECT   | -
            WITH c AS (SELECT 1) UPDATE b SET x = 1              | UPDATE   | b
            WITH c AS (DELETE FROM a RETURNING *) SELECT * FROM c | SELECT  | -
            /* x */ delete from only "B".c                       | DELETE   | B.c
            insert into public.a values (1)                      | INSERT   | a
            MERGE INTO a USING b ON true WHEN MATCHED THEN DELETE | MERGE   | a
            BEGIN                                                | BEGIN    | -
            start transaction isolation level serializable       | BEGIN    | -
            END                                                  | COMMIT   | -
            rollback to savepoint a                              | OTHER    | -
            COMMIT PREPARED 'x'                                  | OTHER    | -
            CREATE TABLE a (id int)                              | OTHER    | -
            """)
    void verbAndTargetAreTold(String sql, Verb verb, String target) {
        assertThat(read(sql).verb()).isEqualTo(verb);
        assertThat(read(sql).target().orElse(null)).isEqualTo(target);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            SELECT * FROM a JOIN b AS x ON a.id = x.id FOR UPDATE                     | a,b
            SELECT * FROM a JOIN b AS x ON a.id = x.id FOR UPDATE OF x                | b
            SELECT * FROM s.a, ONLY b WHERE a IS DISTINCT FROM 1 FOR UPDATE OF a      | s.a
            SELECT * FROM (SELECT * FROM a) AS q FOR UPDATE                           | a
            (SELECT * FROM a) FOR UPDATE                                              | a
            SELECT * FROM generate_series(1, 2) AS g, a LEFT JOIN b USING (id) FOR SHARE | a,b
            UPDATE b SET x = 1 WHERE id IN (SELECT id FROM a ORDER BY id FOR UPDATE)  | a
            TABLE a FOR UPDATE                                                        | a
            """)
    void tablesOfALockAreTold(String sql, String tables) {
        assertThat(read(sql).locks().stream()
                        .flatMap(lock -> lock.tables().stream())
                        .collect(Collectors.joining(",")))
                .isEqualTo(tables);
    }

    private static Part part(String sql, String... values) {
        return new Part(read(sql), List.of(values), false);
    }

    @Test
    void keysAreTheColumnsThatEqualValues() {
        assertThat(part("SELECT * FROM t AS x WHERE x.id = ?::int AND (b = 'it''s') AND c > ?", "5", "6")
                        .keys("t"))
                .hasToString("{id=[5], b=[it's]}");
        assertThat(part("SELECT * FROM t WHERE id IN (?, 7, -8)", "'5'").keys("t"))
                .hasToString("{id=[5, 7, -8]}");
        assertThat(part("SELECT * FROM t WHERE id = ANY (?)", "'{1,2}'").keys("t"))
                .hasToString("{id=[1, 2]}");
        assertThat(part("SELECT * FROM t JOIN u ON t.id = u.id WHERE t.id = 1 AND b = 2")
                        .keys("t"))
                .hasToString("{id=[1]}");
        assertThat(part("SELECT * FROM t WHERE id = 1 OR id = 2").keys("t")).isEmpty();
        assertThat(part("SELECT * FROM t WHERE id = (SELECT 1)").keys("t")).isEmpty();
        assertThat(part("SELECT * FROM t WHERE id NOT IN (1, 2)").keys("t")).isEmpty();
    }

    @Test
    void parametersOfLaterStatementsOfATextAreCountedOn() {
        List<SqlShape> shapes = ShapeReader.read("UPDATE a SET x = ? WHERE id = ?; DELETE FROM b WHERE id = ?;");

        assertThat(new Part(shapes.get(1), List.of("1", "2", "3"), false).keys("b"))
                .hasToString("{id=[3]}");
    }

    @Test
    void assignmentsSayWhoMakesTheValue() {
        assertThat(read("""
                        UPDATE t
                        SET a = a - ?, b = now(), c = (SELECT 1), d = coalesce(?, e), f = CURRENT_TIMESTAMP,
                            g = ?, h = 'x', i = true, j = NULL
                        """).assignments())
                .extracting(Assignment::byTheDatabase)
                .containsExactly(true, true, true, true, true, false, false, false, false);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT FROM WHERE",
                "UPDATE ONLY t AS x SET a = 1 FROM b WHERE x.id = b.id",
                "SELECT ((((((((((((((((((((((1))))))))))))))))))))))"
            })
    void whatIsNotUnderstoodIsMarked(String sql) {
        assertThat(read(sql).parsed()).isFalse();
        assertThat(read(sql).where().isEmpty()).isTrue();
    }

    @Test
    void writesInsideAreToldOfWhatIsNotUnderstoodToo() {
        String write = "WITH x AS (UPDATE ONLY t AS x SET a = 1 FROM b WHERE x.id = b.id RETURNING 1) SELECT * FROM x";
        String read = "SELECT ((((((((((((((((((((((1)))))))))))))))))))))) FROM t FOR UPDATE";

        assertThat(read(write).parsed()).isFalse();
        assertThat(read(write).is(Trait.WRITES_INSIDE)).isTrue();
        assertThat(read(read).is(Trait.WRITES_INSIDE)).isFalse();
    }

    @Test
    void longTextIsNotParsedButItsLocksAreFound() {
        String sql = "SELECT * FROM t WHERE id IN (" + "1, ".repeat(ShapeReader.LONGEST_PARSED) + "1) FOR UPDATE";

        assertThat(read(sql).parsed()).isFalse();
        assertThat(read(sql).locks())
                .singleElement()
                .satisfies(lock -> assertThat(lock.tables()).containsExactly("t"));
    }

    @Test
    void statementsThatDifferInValuesHaveOneForm() {
        assertThat(read("SELECT * FROM T WHERE id IN (1, 2, 3) AND a = 'x' -- y")
                        .form())
                .isEqualTo(read("select *  from t where id in (?, ?) and a = ?").form());
    }
}
