package dev.rowlock.cli;

import dev.rowlock.prover.scenario.Scenario;
import dev.rowlock.prover.scenario.ScenarioException;
import dev.rowlock.prover.transcript.ServerAddress;
import dev.rowlock.prover.transcript.Transcript;
import dev.rowlock.prover.transcript.TranscriptException;
import java.io.IOException;
import java.io.Writer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.postgresql.ds.PGSimpleDataSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** {@code rowlock prove --transcript}: instead of a proof the transcript of each scenario, each on a database of its own. */
final class ProveTranscript {
    static final String DATABASE = "rowlock_transcript";
    private static final List<String> FITTING = List.of("--transcript", "--url");

    private final PGSimpleDataSource server;
    private final Writer out;

    /**
     * Runs nothing yet.
     *
     * @param server a superuser on any database of it
     * @param out gets exactly the transcripts
     */
    ProveTranscript(PGSimpleDataSource server, Writer out) {
        this.server = server;
        this.out = out;
    }

    /** What belongs to a proof would go unheeded here. */
    static void requireNoOptionOfProofs(CommandLine command) {
        for (OptionSpec option : command.getParseResult().matchedOptions()) {
            if (!FITTING.contains(option.longestName())) {
                throw new ParameterException(
                        command, "--transcript and " + option.longestName() + " exclude each other");
            }
        }
    }

    /** Names every scenario that is more than PostgreSQL's tester can run. */
    static void requirePlain(List<Scenario> scenarios) {
        List<String> wrong = new ArrayList<>();
        for (Scenario scenario : scenarios) {
            try {
                Transcript.requirePlain(scenario);
            } catch (ScenarioException e) {
                wrong.add(e.getMessage());
            }
        }
        if (!wrong.isEmpty()) {
            throw new Refusal(String.join("\n", wrong));
        }
    }

    /** Where a server of ours listens. */
    static PGSimpleDataSource source(ProveServer server) throws SQLException {
        try (Connection connection = server.connect("public")) {
            PGSimpleDataSource source = new PGSimpleDataSource();
            source.setURL(connection.getMetaData().getURL());
            return source;
        }
    }

    /** Runs all of them, also behind one that ended early; refuses at the end if there was one. */
    int run(List<Scenario> scenarios) throws IOException {
        List<String> endedEarly = new ArrayList<>();
        for (Scenario scenario : scenarios) {
            try {
                run(scenario);
            } catch (TranscriptException e) {
                endedEarly.add(scenario.name() + ": " + e.getMessage());
            }
            out.flush();
        }
        if (!endedEarly.isEmpty()) {
            throw new Refusal(String.join("\n", endedEarly));
        }
        return 0;
    }

    private void run(Scenario scenario) {
        execute("CREATE DATABASE " + DATABASE + " TEMPLATE template0");
        try {
            new Transcript(address(), Transcript.STEP_LIMIT).write(scenario, out);
        } finally {
            // Sessions may still be ending.
            execute("DROP DATABASE " + DATABASE + " WITH (FORCE)");
        }
    }

    private void execute(String sql) {
        try (Connection connection = server.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new Refusal("'" + sql + "' failed: " + Refusal.reason(e), e);
        }
    }

    private ServerAddress address() {
        String user = server.getUser();
        return new ServerAddress(
                server.getServerNames()[0],
                server.getPortNumbers()[0],
                DATABASE,
                user == null ? System.getProperty("user.name") : user,
                Optional.ofNullable(server.getPassword()));
    }
}
