package dev.rowlock.prover.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several statements in one text are one step only where nobody could tell that somebody came between them. */
class SeveralTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE t SET n = 1",
                "UPDATE t SET s = 'a; b';",
                "SELECT 1; COMMIT",
                "UPDATE t SET n = 1\n; COMMIT",
                "UPDATE t SET n = 1\n; SELECT pg_current_xact_id_if_assigned()::text AS \"xid\"",
                "SET LOCAL lock_timeout = 5; SELECT n FROM t WHERE id = ? FOR UPDATE; SET LOCAL lock_timeout = 9",
                "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE; SET LOCAL statement_timeout = 9; SELECT n FROM t",
                "BEGIN; SAVEPOINT a; UPDATE t SET n = 1; RELEASE SAVEPOINT a",
            })
    void nobodyCanTell(String sql) {
        assertThat(Several.matters(sql)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE t SET n = 1; UPDATE u SET n = 1",
                "SELECT n FROM t; SELECT n FROM t",
                "COMMIT; UPDATE t SET n = 1",
                "SELECT 1; UPDATE t SET n = 1",
                "UPDATE t SET n = 1; ROLLBACK TO SAVEPOINT a",
                "UPDATE t SET n = 1; SET search_path = other",
                "SELECT pg_advisory_xact_lock(1); UPDATE t SET n = 1",
                "SELECT 1 FROM t FOR UPDATE; DELETE FROM t",
            })
    void somebodyMayTell(String sql) {
        assertThat(Several.matters(sql)).isTrue();
    }
}
