package dev.rowlock.prover.engine;

import dev.rowlock.prover.scenario.Scenario;
import dev.rowlock.prover.scenario.SessionSpec;
import dev.rowlock.prover.scenario.Sql;
import dev.rowlock.prover.scenario.SqlBlock;
import dev.rowlock.prover.scenario.StepSpec;
import java.util.Comparator;
import java.util.List;

/**
 * A query in a step that locks nothing.
 *
 * @param step the step's name
 * @param statement which of the step's statements it is, from 0
 * @param sql the statement as it was sent, with values in the places of names
 */
record PlainRead(String step, int statement, String sql) {

    /** The query with this clause, such as {@code FOR UPDATE}, at its end. */
    String locked(String clause) {
        return sql + behind(sql) + clause;
    }

    /** A comment up to the end of the line would swallow the clause. */
    private static String behind(String sql) {
        return sql.contains("--") ? "\n" : " ";
    }

    /** The scenario in which each of these reads ends with this clause. */
    static Scenario lock(Scenario scenario, List<PlainRead> reads, String clause) {
        List<SessionSpec> sessions = scenario.sessions().stream()
                .map(session -> new SessionSpec(
                        session.name(),
                        session.transaction(),
                        session.isolation(),
                        session.attempts(),
                        session.setup(),
                        session.steps().stream()
                                .map(step -> lock(step, reads, clause))
                                .toList(),
                        session.teardown(),
                        session.position()))
                .toList();
        return new Scenario(
                scenario.name(),
                scenario.setups(),
                scenario.teardown(),
                sessions,
                scenario.permutations(),
                scenario.invariants(),
                scenario.ignored(),
                scenario.observe());
    }

    private static StepSpec lock(StepSpec step, List<PlainRead> reads, String clause) {
        List<Sql.Piece> statements = Sql.statements(step.sql().text());
        StringBuilder text = new StringBuilder(step.sql().text());
        // From the last to the first, so that the offsets of those still to come stay what they are.
        reads.stream()
                .filter(read -> read.step().equals(step.name()))
                .sorted(Comparator.comparingInt(PlainRead::statement).reversed())
                .forEach(read -> {
                    Sql.Piece piece = statements.get(read.statement());
                    text.insert(piece.offset() + piece.text().length(), behind(piece.text()) + clause);
                });
        return new StepSpec(
                step.name(),
                step.into(),
                step.when(),
                step.expectRows(),
                new SqlBlock(text.toString(), step.sql().position()),
                step.position());
    }
}
