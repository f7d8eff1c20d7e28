package dev.rowlock.prover.engine;

import dev.rowlock.prover.engine.Footprint.Resource;
import dev.rowlock.prover.engine.PlanReader.Access;
import dev.rowlock.prover.engine.PlanReader.Plan;
import dev.rowlock.prover.scenario.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Learns from the database what statements can touch: which tables from the plan and the catalog (foreign keys, triggers,
 * partitions), which row where the plan compares all columns of a unique index with constants. Nothing depends on the data, so
 * what was learnt of a statement once holds in every state; a statement that is not understood touches everything.
 *
 * <p>Not understood are: whatever is not a query or DML (transaction control aside), and whatever calls a function that is
 * volatile, reads the server's state or is the user's own. If such a statement may change the schema, nothing that was learnt
 * from the catalog holds any more, and from then on nothing is understood.
 */
public final class Footprints implements AutoCloseable {
    private static final Set<String> PLANNED =
            Set.of("SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "WITH", "VALUES", "TABLE");
    private static final Set<String> HARMLESS_SETTINGS = Set.of(
            "TRANSACTION",
            "LOCK_TIMEOUT",
            "STATEMENT_TIMEOUT",
            "IDLE_IN_TRANSACTION_SESSION_TIMEOUT",
            "DEADLOCK_TIMEOUT");
    private static final Set<String> HARMLESS_TO_THE_SCHEMA = Set.of("LOCK", "LISTEN", "UNLISTEN", "NOTIFY", "SHOW");
    /** What Rowlock sends behind a statement; its answer is a name that differs from run to run by nature. */
    private static final Pattern ASKS_FOR_ID = Pattern.compile(
            "SELECT\\s+pg_current_xact_id(_if_assigned)?\\(\\)(::text)?(\\s+AS\\s+(\"[^\"]*\"|\\w+))?\\s*",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern CALL = Pattern.compile("([a-z_][a-z0-9_$]*)\\(");
    private static final Pattern INTO = Pattern.compile("\\bINTO\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern WRITES_INTO =
            Pattern.compile("\\b(INSERT|MERGE)\\s+INTO\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern SEARCH_PATH =
            Pattern.compile("search_path|session_replication_role", Pattern.CASE_INSENSITIVE);
    private static final Set<String> NOT_FUNCTIONS = Set.of(
            "any",
            "all",
            "row",
            "array",
            "values",
            "coalesce",
            "nullif",
            "greatest",
            "least",
            "case",
            "exists",
            "in",
            "numeric",
            "character",
            "varying",
            "varchar",
            "bit",
            "interval",
            "time",
            "timestamp",
            "decimal",
            "char");

    /**
     * Of these functions none depends on anything but its arguments, the clock and the session's settings; a transaction's own id is
     * only a name, which nobody can rely on being the same in two runs.
     */
    private static final String UNDERSTOOD = """
            SELECT bool_and(p.pronamespace = 'pg_catalog'::regnamespace
                            AND (p.provolatile = 'i' OR p.prokind IN ('a', 'w')
                                 OR p.proname IN ('pg_current_xact_id', 'pg_current_xact_id_if_assigned')
                                 OR (p.provolatile = 's' AND p.proname !~ '^(pg_|txid_|has_|row_security|to_reg|current_setting)|_to_xml')))
            FROM pg_proc p WHERE p.proname = ?""";

    /** A statement that waits for an actor's lock on a table is one that cannot be planned now. */
    private static final String PATIENCE = "lock_timeout = '20ms'";

    private final Connection connection;
    /** Whether somebody else uses the connection too, in the simple query protocol. */
    private final boolean shared;

    private final Map<String, Footprint> known = new HashMap<>();
    private final Map<String, Boolean> functions = new HashMap<>();
    private final Set<String> scanned = new HashSet<>();
    private Optional<Catalog> catalog = Optional.empty();
    private int generation;

    /** Sets the parameters of a statement. */
    @FunctionalInterface
    public interface Parameters {
        /** Binds all of them. */
        void bind(PreparedStatement statement) throws SQLException;
    }

    /** @param connection used for nothing else, with the search path of the actors */
    public Footprints(Connection connection) {
        this(connection, false);
    }

    private Footprints(Connection connection, boolean shared) {
        this.connection = connection;
        this.shared = shared;
    }

    /**
     * On a connection that others use too, in auto-commit mode and the simple query protocol, and that they close; for statements
     * without parameters.
     */
    static Footprints sharing(Connection connection) {
        return new Footprints(connection, true);
    }

    /** Reads the catalog; what was learnt before is forgotten. To be called when the schema stands. */
    public synchronized void learn() {
        try {
            if (!shared) {
                try (Statement statement = connection.createStatement()) {
                    statement.execute("SET " + PATIENCE);
                }
            }
            catalog = Optional.of(Catalog.read(connection));
            known.clear();
            scanned.clear();
            generation++;
        } catch (SQLException e) {
            throw new RaceException("the catalog cannot be read: " + e.getMessage(), e);
        }
    }

    /** From now on every statement touches everything. */
    public synchronized void forget() {
        if (catalog.isPresent()) {
            catalog = Optional.empty();
            known.clear();
            generation++;
        }
    }

    /** Whether anything is understood at all. */
    synchronized boolean isLearning() {
        return catalog.map(c -> c.opaque().isEmpty()).orElse(false);
    }

    /** Changes whenever two statements may depend on each other that did not before. */
    synchronized int generation() {
        return generation;
    }

    /** What this SQL, which may be several statements, can touch. */
    public synchronized Footprint of(String sql) {
        Footprint all = Footprint.NOTHING;
        for (Sql.Piece statement : Sql.statements(sql)) {
            all = all.and(one(statement.text(), "", none -> {}));
        }
        return all;
    }

    /**
     * What a text with question marks for parameters can touch; they are given as text for the memory. Of several statements in
     * it all but one may be settings, transaction control or questions for the transaction's id; where a transaction ends is seen
     * from the session. Otherwise it is not understood.
     */
    public synchronized Footprint of(String sql, String values, Parameters parameters) {
        boolean looks = false;
        List<String> others = new ArrayList<>();
        for (Sql.Piece statement : Sql.statements(sql)) {
            String text = statement.text();
            boolean withParameters = text.contains("?");
            if (!withParameters && asksForId(text)) {
                looks = true;
            } else if (withParameters || !touchesNothing(firstWords(text))) {
                others.add(text);
            }
        }
        Footprint found = others.isEmpty()
                ? Footprint.NOTHING
                : one(others.size() == 1 ? others.get(0) : sql, values, parameters);
        return looks ? found.and(Footprint.LOOKS) : found;
    }

    private static List<String> firstWords(String sql) {
        return Sql.firstWords(sql, 2).stream()
                .map(word -> word.toUpperCase(Locale.ROOT))
                .toList();
    }

    private Footprint one(String sql, String values, Parameters parameters) {
        List<String> words = firstWords(sql);
        if (touchesNothing(words) && Sql.statements(sql).size() == 1) {
            return Footprint.NOTHING;
        }
        if (!isLearning()) {
            return Footprint.UNKNOWN;
        }
        String verb = words.isEmpty() ? "" : words.get(0);
        if (!(PLANNED.contains(verb) || sql.startsWith("("))
                || SEARCH_PATH.matcher(sql).find()
                || Sql.statements(sql).size() != 1) {
            if (!HARMLESS_TO_THE_SCHEMA.contains(verb) && !areQueries(sql)) {
                forget();
            }
            return Footprint.UNKNOWN;
        }
        String key = sql + "\n" + values;
        Footprint found = known.get(key);
        if (found == null) {
            Optional<Plan> plan = explain(sql, parameters).map(PlanReader::read);
            if (plan.isPresent() && mayMakeATable(sql, plan.get())) {
                forget();
                return Footprint.UNKNOWN;
            }
            found = plan.map(read -> footprint(sql, read)).orElse(Footprint.UNKNOWN);
            if (plan.isPresent()) {
                known.put(key, found);
            }
        }
        return found;
    }

    /** Whether these are several statements of which none can change the schema. */
    private static boolean areQueries(String sql) {
        List<Sql.Piece> statements = Sql.statements(sql);
        return statements.size() > 1
                && !SEARCH_PATH.matcher(sql).find()
                && INTO.matcher(sql).results().count()
                        == WRITES_INTO.matcher(sql).results().count()
                && statements.stream()
                        .map(piece -> firstWords(piece.text()))
                        .allMatch(
                                words -> !words.isEmpty() && (PLANNED.contains(words.get(0)) || touchesNothing(words)));
    }

    /** SELECT … INTO does, and its plan does not say so: each INTO must belong to a node that inserts. */
    private static boolean mayMakeATable(String sql, Plan plan) {
        long inserts = plan.accesses().stream()
                .filter(access -> Set.of("Insert", "Merge").contains(access.operation()))
                .count();
        return INTO.matcher(sql).results().count() > inserts;
    }

    /** Whether the statement asks for the id of its transaction and nothing else. */
    static boolean asksForId(String statement) {
        return ASKS_FOR_ID.matcher(statement).matches();
    }

    /** Whether the setting with this name, in capitals, changes neither what statements mean nor what they see. */
    static boolean isHarmlessSetting(String name) {
        return HARMLESS_SETTINGS.contains(name);
    }

    /** Transaction control; ROLLBACK TO is none, it lets go of locks in the middle of a transaction. And harmless settings. */
    private static boolean touchesNothing(List<String> words) {
        if (words.isEmpty()) {
            return false;
        }
        String second = words.size() > 1 ? words.get(1) : "";
        return switch (words.get(0)) {
            case "BEGIN", "START", "COMMIT", "END", "ROLLBACK", "ABORT" ->
                !second.equals("TO") && !second.equals("PREPARED");
            case "SET" -> HARMLESS_SETTINGS.contains(second);
            case "SAVEPOINT", "RELEASE" -> true;
            default -> false;
        };
    }

    private Optional<String> explain(String sql, Parameters parameters) {
        String explain = "EXPLAIN (VERBOSE, COSTS OFF, FORMAT XML) " + sql;
        try {
            return shared ? explainPatiently(explain) : explainBound(explain, parameters);
        } catch (SQLException e) {
            // Such as a table that an actor has locked or that does not exist yet: not understood, at least for now.
            return Optional.empty();
        }
    }

    /** In one message, which is one transaction, so that the limit is nobody else's. */
    private Optional<String> explainPatiently(String explain) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET LOCAL " + PATIENCE + "; " + explain);
            statement.getMoreResults();
            return first(statement);
        }
    }

    private Optional<String> explainBound(String explain, Parameters parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(explain)) {
            parameters.bind(statement);
            statement.execute();
            return first(statement);
        }
    }

    private static Optional<String> first(Statement statement) throws SQLException {
        try (ResultSet result = statement.getResultSet()) {
            return result.next() ? Optional.ofNullable(result.getString(1)) : Optional.empty();
        }
    }

    private Footprint footprint(String sql, Plan plan) {
        Catalog tables = catalog.orElseThrow();
        if (!callsOnlyUnderstood(plan.text())) {
            return Footprint.UNKNOWN;
        }
        Set<Resource> reads = new HashSet<>();
        Set<Resource> writes = new HashSet<>();
        for (Access access : plan.accesses()) {
            if (access.operation().isEmpty()) {
                Resource found = scan(access, tables);
                (access.locked() ? writes : reads).add(found);
                continue;
            }
            if (tables.triggered().contains(access.table())) {
                return Footprint.UNKNOWN;
            }
            writes.add(target(sql, access, plan, tables));
            boolean removes = !access.operation().equals("Insert");
            tables.reachedFrom(access.table(), removes)
                    .forEach(table -> writes.add(new Resource(tables.root(table), "")));
        }
        return new Footprint(reads, writes, true, false);
    }

    /** A table that is looked through as a whole shows in which order its rows were written, so that order matters then. */
    private Resource scan(Access access, Catalog tables) {
        Optional<String> row = isPointed(access, tables) ? Points.row(access, tables) : Optional.empty();
        String table = tables.root(access.table());
        if (row.isEmpty() && scanned.add(table)) {
            generation++;
        }
        return new Resource(table, row.orElse(""));
    }

    private Resource target(String sql, Access access, Plan plan, Catalog tables) {
        Resource whole = new Resource(tables.root(access.table()), "");
        long targets = plan.accesses().stream()
                .filter(other -> !other.operation().isEmpty())
                .count();
        boolean isSingle = targets == 1 && isPointed(access, tables);
        boolean keepsKeys = access.operation().equals("Delete")
                || (access.operation().equals("Update")
                        && !SetClause.maySetAny(sql, tables.keyed().getOrDefault(access.table(), Set.of())));
        if (!isSingle || !keepsKeys) {
            return whole;
        }
        return plan.accesses().stream()
                .filter(scan -> scan.operation().isEmpty()
                        && scan.table().equals(access.table())
                        && scan.alias().equals(access.alias()))
                .findFirst()
                .flatMap(scan -> Points.row(scan, tables))
                .map(row -> new Resource(access.table(), row))
                .orElse(whole);
    }

    private static boolean isPointed(Access access, Catalog tables) {
        return !tables.isPart(access.table())
                && !tables.hasForeignKeys(access.table())
                && !tables.unpointed().contains(access.table());
    }

    private boolean callsOnlyUnderstood(String text) {
        Matcher calls = CALL.matcher(text);
        while (calls.find()) {
            String name = calls.group(1);
            if (!NOT_FUNCTIONS.contains(name) && !functions.computeIfAbsent(name, this::isUnderstood)) {
                return false;
            }
        }
        return true;
    }

    private boolean isUnderstood(String function) {
        try (PreparedStatement statement = connection.prepareStatement(UNDERSTOOD)) {
            statement.setString(1, function);
            try (ResultSet result = statement.executeQuery()) {
                return result.next() && result.getBoolean(1);
            }
        } catch (SQLException e) {
            throw new RaceException("the functions of the catalog cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * A place that a statement goes to, for people: what is said of it decides nothing.
     *
     * @param table as {@code schema.table}
     * @param row the row if there is only one, in words, else empty
     * @param kind {@code Insert}, {@code Update}, {@code Delete}, {@code Merge}, {@code Lock}; empty if it only reads
     */
    record Visit(String table, String row, String kind) {
        boolean writes() {
            return !kind.isEmpty() && !kind.equals("Lock");
        }

        /** Whether they can meet in a row; empty if that is not known. */
        Optional<Boolean> meets(Visit other) {
            if (!table.equals(other.table)) {
                return Optional.of(false);
            }
            return row.isEmpty() || other.row.isEmpty() ? Optional.empty() : Optional.of(row.equals(other.row));
        }
    }

    /** Where this SQL goes; nothing of statements that are not understood. */
    synchronized List<Visit> visits(String sql) {
        if (catalog.isEmpty()) {
            return List.of();
        }
        List<Visit> visits = new ArrayList<>();
        for (Sql.Piece statement : Sql.statements(sql)) {
            String verb =
                    Sql.firstWords(statement.text(), 1).stream().findFirst().orElse("");
            if (PLANNED.contains(verb.toUpperCase(Locale.ROOT))) {
                explain(statement.text(), none -> {})
                        .map(PlanReader::read)
                        .ifPresent(plan -> visits.addAll(visits(plan)));
            }
        }
        return visits;
    }

    private List<Visit> visits(Plan plan) {
        Catalog tables = catalog.orElseThrow();
        List<Visit> visits = new ArrayList<>();
        for (Access access : plan.accesses()) {
            String row = plan.accesses().stream()
                    .filter(scan -> scan.operation().isEmpty() && scan.alias().equals(access.alias()))
                    .findFirst()
                    .flatMap(scan -> Points.row(scan, tables))
                    .orElse("");
            String kind = access.operation().isEmpty() && access.locked() ? "Lock" : access.operation();
            boolean isTarget = plan.accesses().stream()
                    .anyMatch(other ->
                            !other.operation().isEmpty() && other.alias().equals(access.alias()));
            if (!access.operation().isEmpty() || !isTarget) {
                visits.add(new Visit(tables.root(access.table()), row, kind));
            }
        }
        return visits;
    }

    /** Whether one can change what the other sees, or make it wait. */
    synchronized boolean overlap(Set<Resource> some, Set<Resource> others, boolean bothWrite) {
        return some.stream()
                .anyMatch(one -> others.stream()
                        .anyMatch(other -> one.overlaps(other)
                                || (bothWrite && one.table().equals(other.table()) && scanned.contains(one.table()))));
    }

    @Override
    public void close() throws SQLException {
        if (!shared) {
            connection.close();
        }
    }
}
