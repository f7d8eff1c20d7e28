package dev.rowlock.watch;

import static dev.rowlock.watch.LockClause.Strength.FOR_KEY_SHARE;
import static dev.rowlock.watch.LockClause.Strength.FOR_NO_KEY_UPDATE;
import static dev.rowlock.watch.LockClause.Strength.FOR_SHARE;
import static dev.rowlock.watch.LockClause.Strength.FOR_UPDATE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.watch.LockClause.WhenTaken;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What locks is found whatever stands around it, and nothing else is taken for it. */
class LockClauseTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            SELECT * FROM t WHERE id = ? FOR UPDATE                            | FOR UPDATE
            select * from t for no key update nowait                           | FOR NO KEY UPDATE NOWAIT
            SELECT * FROM t FoR ShArE sKiP lOcKeD                              | FOR SHARE SKIP LOCKED
            SELECT * FROM t FOR KEY SHARE;                                     | FOR KEY SHARE
            SELECT * FROM a, b FOR UPDATE OF a, B NOWAIT                       | FOR UPDATE OF a, b NOWAIT
            SELECT * FROM "T" FOR UPDATE OF "T"                                | FOR UPDATE OF T
            SELECT * FROM s.t FOR UPDATE OF s.t                                | FOR UPDATE OF s.t
            SELECT * FROM t FOR/* now */UPDATE-- yes                           | FOR UPDATE
            SELECT * FROM t FOR UPDATE LIMIT 1                                 | FOR UPDATE
            (SELECT * FROM t) FOR UPDATE                                       | FOR UPDATE
            ((SELECT * FROM t)) FOR SHARE                                      | FOR SHARE
            TABLE t FOR UPDATE                                                 | FOR UPDATE
            SELECT FROM t FOR UPDATE                                           | FOR UPDATE
            SELECT a AS for, t.for FROM t FOR UPDATE                           | FOR UPDATE
            SELECT substring(x for 3) FROM t FOR UPDATE                        | FOR UPDATE
            SELECT substring((SELECT x FROM u FOR SHARE) FROM 1) FROM t        | FOR SHARE
            DECLARE c CURSOR FOR SELECT * FROM t FOR UPDATE                    | FOR UPDATE
            INSERT INTO u SELECT * FROM t FOR SHARE                            | FOR SHARE
            UPDATE t SET x = 1 WHERE id IN (SELECT id FROM t FOR UPDATE SKIP LOCKED) | FOR UPDATE SKIP LOCKED
            SELECT E'it\\'s' FROM t FOR UPDATE                                 | FOR UPDATE
            SELECT 'C:\\' FROM t FOR UPDATE                                    | FOR UPDATE
            SELECT a$b$ FROM t FOR UPDATE                                      | FOR UPDATE
            SELECT 1 WHERE a ?? 'k' AND b = $1 FOR UPDATE                      | FOR UPDATE
            this is no SQL, select or not FOR UPDATE                           | FOR UPDATE
            """)
    void clauseIsFound(String sql, String clause) {
        assertThat(LockClause.in(sql)).hasToString("[" + clause + "]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "SELECT 1",
                "SELECT 'x FOR UPDATE' FROM t",
                "SELECT E'\\' FOR UPDATE' FROM t",
                "SELECT * FROM t -- FOR UPDATE",
                "SELECT * FROM t /* FOR /* UPDATE */ FOR UPDATE */",
                "SELECT * FROM t /* FOR UPDATE",
                "SELECT $$ FOR UPDATE $$ FROM t",
                "DO $f$ BEGIN PERFORM 1 FROM t FOR UPDATE; END $f$",
                "SELECT \"for\" update FROM t",
                "SELECT x \"FOR UPDATE\" FROM t",
                "SELECT t.for update FROM t",
                "SELECT substring(x for update) FROM t",
                "SELECT substring(x for share) FROM t",
                "SELECT overlay(x placing 'a' from 1 for share) FROM t",
                "SELECT substring((SELECT x FROM u) for share) FROM t",
                "CREATE TRIGGER g BEFORE UPDATE ON t FOR EACH ROW EXECUTE FUNCTION f()",
                "CREATE POLICY p ON t FOR UPDATE USING (true)",
                "REVOKE GRANT OPTION FOR UPDATE ON t FROM u",
                "SELECT * FROM t FOR READ ONLY",
                "INSERT INTO t VALUES (1) ON CONFLICT (id) DO UPDATE SET x = 1",
                "FOR UPDATE",
                "SELECT 1; FOR UPDATE",
                "SELECT * FROM t FOR",
                "SELECT * FROM t FOR NO KEY"
            })
    void nothingElseIs(String sql) {
        assertThat(LockClause.in(sql)).isEmpty();
    }

    @Test
    void allAreGivenInOrder() {
        String sql = """
            WITH c AS (
                SELECT id FROM a FOR KEY SHARE
            )
            SELECT *, (SELECT 1 FROM e LIMIT 1 FOR SHARE NOWAIT)
            FROM b JOIN c ON true
            FOR UPDATE OF b SKIP LOCKED
            FOR NO KEY UPDATE OF c
            """;

        assertThat(LockClause.in(sql))
                .containsExactly(
                        new LockClause(FOR_KEY_SHARE, WhenTaken.WAIT, List.of()),
                        new LockClause(FOR_SHARE, WhenTaken.NOWAIT, List.of()),
                        new LockClause(FOR_UPDATE, WhenTaken.SKIP_LOCKED, List.of("b")),
                        new LockClause(FOR_NO_KEY_UPDATE, WhenTaken.WAIT, List.of("c")));
    }

    @Test
    void strengthsConflictAsInPostgres() {
        assertThat(FOR_KEY_SHARE.conflictsWith(FOR_NO_KEY_UPDATE)).isFalse();
        assertThat(FOR_KEY_SHARE.conflictsWith(FOR_UPDATE)).isTrue();
        assertThat(FOR_SHARE.conflictsWith(FOR_SHARE)).isFalse();
        assertThat(FOR_SHARE.conflictsWith(FOR_NO_KEY_UPDATE)).isTrue();
        assertThat(FOR_NO_KEY_UPDATE.conflictsWith(FOR_KEY_SHARE)).isFalse();
        assertThat(FOR_NO_KEY_UPDATE.conflictsWith(FOR_NO_KEY_UPDATE)).isTrue();
        assertThat(FOR_UPDATE.conflictsWith(FOR_KEY_SHARE)).isTrue();
    }
}
