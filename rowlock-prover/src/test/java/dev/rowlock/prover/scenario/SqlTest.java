package dev.rowlock.prover.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlTest {

    @Test
    void statementsEndAtSemicolonsAndKeepTheirPlaces() {
        assertThat(Sql.statements(" BEGIN;\n SELECT 1 ; ; COMMIT"))
                .containsExactly(new Sql.Piece("BEGIN", 1), new Sql.Piece("SELECT 1", 9), new Sql.Piece("COMMIT", 22));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 'a;b'",
                "SELECT 'it''s; one'",
                "SELECT E'it\\'s; one'",
                "SELECT e'\\\\' || ';'",
                "SELECT \"a;\"\"b;\"",
                "SELECT $$ a; b $$",
                "DO $body$ BEGIN x := $$;$$; END $body$",
                "SELECT $é1$;$é1$",
                "SELECT 1 -- one; two",
                "SELECT 1 /* a; /* b; */ c; */ + 1",
                "CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2)",
                "SELECT 'no end; ",
                "SELECT $x$ no end; $y$",
                "SELECT /* no end; /* */"
            })
    void noStatementEndsInsideQuotesCommentsOrParentheses(String sql) {
        assertThat(Sql.statements(sql)).extracting(Sql.Piece::text).containsExactly(sql.strip());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 'a\\'; SELECT 2", // a backslash is an ordinary character in '…'
                "SELECT nice'a\\'; SELECT 2", // the E belongs to a longer word
                "SELECT a$b$; SELECT $b$", // a dollar inside a word begins no quote
                "SELECT $1; SELECT $1", // nor does a numbered parameter
                "SELECT 1 -- it's\n; SELECT 2",
                "SELECT 1); SELECT (2"
            })
    void whatOnlyLooksLikeAQuoteHidesNoSemicolon(String sql) {
        assertThat(Sql.statements(sql)).hasSize(2);
    }

    @Test
    void commentsAloneAreNoStatement() {
        assertThat(Sql.statements("-- nothing\n /* at all */ ; ")).isEmpty();
        assertThat(Sql.statements("/* first */ SELECT 1")).containsExactly(new Sql.Piece("SELECT 1", 12));
    }

    @Test
    void namesBehindAColonAreParameters() {
        assertThat(Sql.parameters("SELECT :a + :b_2, (:a), x=:é"))
                .containsExactly(
                        new Sql.Piece("a", 7),
                        new Sql.Piece("b_2", 12),
                        new Sql.Piece("a", 19),
                        new Sql.Piece("é", 26));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT '1'::int, x::text",
                "x := y",
                "f(a:=1)",
                "SELECT a[1:n], a[f(1):n], a[b[1]:n], a['1':n]",
                "SELECT ':a', E'\\':a', \":a\", $$ :a $$, $t$ :a $t$",
                "SELECT 1 -- :a",
                "SELECT 1 /* :a /* :b */ :c */",
                "SELECT 1 :",
                "SELECT :1, : a"
            })
    void otherColonsAreNone(String sql) {
        assertThat(Sql.parameters(sql)).isEmpty();
    }

    @Test
    void parameterMayBeCast() {
        assertThat(Sql.substitute("SELECT :a::int", Map.of("a", "'7'"))).isEqualTo("SELECT '7'::int");
    }

    @Test
    void literalsReplaceNamesAndAreNotReadAgain() {
        Map<String, String> literals = new HashMap<>(Map.of("a", "':b'", "b", "2"));
        literals.put("c", null);
        assertThat(Sql.substitute("SELECT :a, :b, :c, ':a'", literals)).isEqualTo("SELECT ':b', 2, NULL, ':a'");
    }

    @Test
    void negativeLiteralBehindAMinusBeginsNoComment() {
        assertThat(Sql.substitute("SELECT 1 -:a", Map.of("a", "-5"))).isEqualTo("SELECT 1 -(-5)");
    }

    @Test
    void missingValueIsNamed() {
        assertThatThrownBy(() -> Sql.substitute("SELECT :gone", Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no value for :gone in SELECT :gone");
    }

    @Test
    void literalQuotesWhatWouldEndIt() {
        assertThat(Sql.literal("80")).isEqualTo("'80'");
        assertThat(Sql.literal("it's")).isEqualTo("'it''s'");
        assertThat(Sql.literal("a\\'b")).isEqualTo("E'a\\\\''b'");
        for (String value : List.of("'; DROP TABLE t; --", "\\'; DROP TABLE t; --", "$$;", "", "''", "\\")) {
            assertThat(Sql.statements("SELECT " + Sql.literal(value))).hasSize(1);
        }
    }

    @Test
    void blockStatementsKnowTheirLineAndColumn() {
        SqlBlock block = new SqlBlock(" BEGIN;\n  SELECT '𝄞'; COMMIT;\n", new Position("x", 3, 10));
        assertThat(block.statements())
                .containsExactly(
                        new SqlBlock("BEGIN", new Position("x", 3, 11)),
                        new SqlBlock("SELECT '𝄞'", new Position("x", 4, 3)),
                        new SqlBlock("COMMIT", new Position("x", 4, 15)));
    }

    @Test
    void trimmedLosesBlanksBesideTheBracesButNoLineFeeds() {
        assertThat(new SqlBlock(" \t\n SELECT 1;\n \r", new Position("x", 1, 1)).trimmed())
                .isEqualTo("\n SELECT 1;\n");
        assertThat(new SqlBlock(" \t ", new Position("x", 1, 1)).trimmed()).isEmpty();
    }
}
