package dev.rowlock.prover.engine;

import dev.rowlock.prover.engine.ActorResult.StepResult;
import dev.rowlock.prover.engine.Footprints.Visit;
import dev.rowlock.prover.scenario.Scenario;
import dev.rowlock.prover.scenario.Sql;
import dev.rowlock.prover.scenario.StepSpec;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The plain reads of a scenario whose rows some session writes, by what the server plans for the statements as they are sent.
 *
 * @param lockable those that can end with a locking clause
 * @param refused those that cannot
 * @param reasons why not, each once
 * @param unclear steps of which it is not known what they touch; because of them a read may be missing here
 */
record PlainReads(List<PlainRead> lockable, List<PlainRead> refused, List<String> reasons, List<String> unclear) {
    /** Whether a query may end with one does not depend on its strength. */
    static final String ANY_CLAUSE = "FOR UPDATE";

    /**
     * Finds them.
     *
     * @param race of the scenario; a few of its schedules are run to see what is sent
     * @param probe a connection of its own with the race's search path
     * @param seen a schedule that was run before
     */
    static PlainReads find(
            Scenario scenario, ScenarioRace race, Connection probe, Execution seen, Explorer.Limits limits)
            throws SQLException {
        Map<String, String> sent = sent(scenario, race, seen, limits);
        Map<PlainRead, List<Visit>> reads = new LinkedHashMap<>();
        List<Visit> writes = new ArrayList<>();
        sent.forEach((step, sql) -> {
            List<Sql.Piece> statements = Sql.statements(sql);
            for (int i = 0; i < statements.size(); i++) {
                String text = statements.get(i).text();
                List<Visit> visits = race.visits(text);
                visits.stream().filter(Visit::writes).forEach(writes::add);
                if (visits.stream().allMatch(visit -> visit.kind().isEmpty())) {
                    reads.put(new PlainRead(step, i, text), visits);
                }
            }
        });
        List<PlainRead> lockable = new ArrayList<>();
        List<PlainRead> refused = new ArrayList<>();
        Set<String> reasons = new LinkedHashSet<>();
        for (Map.Entry<PlainRead, List<Visit>> read : reads.entrySet()) {
            if (read.getValue().stream().anyMatch(visit -> isWritten(visit, writes))) {
                String refusal = refusal(read.getKey(), race, probe);
                (refusal.isEmpty() ? lockable : refused).add(read.getKey());
                if (!refusal.isEmpty()) {
                    reasons.add(refusal);
                }
            }
        }
        List<String> unclear = sent.entrySet().stream()
                .filter(step -> !race.understands(step.getValue()))
                .map(Map.Entry::getKey)
                .toList();
        return new PlainReads(List.copyOf(lockable), List.copyOf(refused), List.copyOf(reasons), unclear);
    }

    /**
     * The SQL of each step as it is sent. A step may be skipped or come too late in one schedule, so each session goes first once:
     * then it does all that it can do on the data as they begin.
     */
    private static Map<String, String> sent(
            Scenario scenario, ScenarioRace race, Execution seen, Explorer.Limits limits) {
        List<Execution> executions = new ArrayList<>(List.of(seen));
        executions.addAll(eachFirst(scenario, race, limits));
        Map<String, String> sent = new LinkedHashMap<>();
        ScenarioRace.steps(scenario).forEach(step -> sent.put(step, ""));
        for (Execution execution : executions) {
            for (StepResult result : execution.inOrder()) {
                sent.merge(result.step(), result.sql(), (known, other) -> known.isEmpty() ? other : known);
            }
        }
        return sent;
    }

    private static List<Execution> eachFirst(Scenario scenario, ScenarioRace race, Explorer.Limits limits) {
        return scenario.sessions().stream()
                .map(session -> session.steps().stream().map(StepSpec::name).toList())
                .flatMap(first -> race.replay(first, limits).replayed().stream())
                .toList();
    }

    /**
     * The same, but without those that fail when they are run, as in a transaction that is READ ONLY: a session that always ends
     * there would take part in no race, and the lock would seem to help.
     *
     * @param race of the scenario with all {@link #lockable} locked
     */
    PlainReads runnable(Scenario scenario, ScenarioRace race, Explorer.Limits limits) {
        Map<String, String> errors = new LinkedHashMap<>();
        for (Execution execution : eachFirst(scenario, race, limits)) {
            execution
                    .inOrder()
                    .forEach(result -> result.error().ifPresent(error -> errors.put(result.step(), message(error))));
        }
        List<PlainRead> running = new ArrayList<>();
        List<PlainRead> not = new ArrayList<>(refused);
        Set<String> why = new LinkedHashSet<>(reasons);
        for (PlainRead read : lockable) {
            String error = errors.get(read.step());
            (error == null ? running : not).add(read);
            if (error != null) {
                why.add(error);
            }
        }
        return new PlainReads(List.copyOf(running), List.copyOf(not), List.copyOf(why), unclear);
    }

    private static String message(String error) {
        return error.lines().findFirst().orElse("").replaceFirst("^(\\w{5} )?ERROR: ", "");
    }

    private static boolean isWritten(Visit read, List<Visit> writes) {
        return writes.stream().anyMatch(write -> write.meets(read).orElse(true));
    }

    /** Why the read cannot be locked, or nothing. */
    private static String refusal(PlainRead read, ScenarioRace race, Connection probe) throws SQLException {
        String locked = read.locked(ANY_CLAUSE);
        try (Statement statement = probe.createStatement()) {
            statement.execute("EXPLAIN " + locked);
        } catch (SQLException e) {
            if (isFailureOfTheServer(e)) {
                throw e;
            }
            return message(String.valueOf(e.getMessage()));
        }
        // It takes the clause and still locks nothing where all rows come out of a WITH query or a subquery in an
        // expression.
        boolean locks =
                race.visits(locked).stream().anyMatch(visit -> !visit.kind().isEmpty());
        return locks ? "" : ANY_CLAUSE + " behind it locks no row: its rows come from inside a subquery";
    }

    /** That there is no connection says nothing about the statement. */
    private static boolean isFailureOfTheServer(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return state.startsWith("08") || state.startsWith("57") || state.startsWith("53");
    }
}
