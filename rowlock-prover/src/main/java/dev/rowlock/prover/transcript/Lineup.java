package dev.rowlock.prover.transcript;

import dev.rowlock.prover.scenario.Scenario;
import dev.rowlock.prover.scenario.SessionSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** All the connections of a transcript: one for each session, and one for the tester itself. */
final class Lineup implements AutoCloseable {
    private final Duration limit;
    private final List<PgSession> opened = new ArrayList<>();
    private final List<Member> members = new ArrayList<>();
    private final Printer out;
    private String pids = "";
    private boolean noticed;

    private Lineup(Duration limit, Printer out) {
        this.limit = limit;
        this.out = out;
    }

    static Lineup open(Scenario scenario, ServerAddress address, String test, Duration limit, Printer out)
            throws IOException {
        Lineup lineup = new Lineup(limit, out);
        try {
            lineup.connect(address, test, "control connection");
            for (SessionSpec spec : scenario.sessions()) {
                lineup.add(new Member(spec, lineup.connect(address, test, spec.name())));
            }
            lineup.pids = lineup.members.stream()
                    .map(member -> Integer.toString(member.session().pid()))
                    .collect(Collectors.joining(","));
            return lineup;
        } catch (IOException | RuntimeException e) {
            closeAfter(lineup, e);
            throw e;
        }
    }

    private static void closeAfter(Lineup lineup, Exception failure) {
        try {
            lineup.close();
        } catch (IOException | RuntimeException again) {
            failure.addSuppressed(again);
        }
    }

    /** What PostgreSQL runs its own isolation tests with; all else is the server's. */
    private static Map<String, String> settings(String test) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("application_name", "isolation/" + test);
        settings.put("client_encoding", "UTF8");
        settings.put("DateStyle", "Postgres, MDY");
        settings.put("TimeZone", "PST8PDT");
        settings.put("IntervalStyle", "postgres_verbose");
        settings.put("bytea_output", "hex");
        for (String category : List.of("lc_messages", "lc_monetary", "lc_numeric", "lc_time")) {
            settings.put(category, "C");
        }
        return settings;
    }

    private PgSession connect(ServerAddress address, String test, String name) throws IOException {
        int number = opened.size();
        try {
            PgSession session = PgSession.open(address, settings(test));
            opened.add(session);
            Answer named = session.run(
                    "SELECT set_config('application_name', current_setting('application_name') || '/' || "
                            + literal(name) + ", false)",
                    limit);
            if (named instanceof Answer.Failed failed) {
                throw new TranscriptException("setting of application name failed: " + failed.full());
            }
            return session;
        } catch (IOException e) {
            throw new TranscriptException(
                    "Connection " + number + " failed: connection to " + address + " failed: " + e.getMessage() + "\n",
                    e);
        }
    }

    private static String literal(String text) {
        return " E'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }

    private void add(Member member) {
        member.session().onNotice(notice -> {
            out.print(member.name() + ": " + notice);
            member.countNotice();
            noticed = true;
        });
        members.add(member);
    }

    /** The tester's own connection; its notices are told to nobody. */
    PgSession control() {
        return opened.get(0);
    }

    Member member(int index) {
        return members.get(index);
    }

    List<Member> members() {
        return members;
    }

    /** The session of that server process, or the process where it is none of ours. */
    String nameOf(int pid) {
        return members.stream()
                .filter(member -> member.session().pid() == pid)
                .map(Member::name)
                .findFirst()
                .orElse("PID " + pid);
    }

    /** Whether a session waits for another one of the scenario; whoever else it waits for will be gone soon. */
    boolean isBlocked(Member member) throws IOException {
        Answer answer = control()
                .run(
                        "SELECT pg_catalog.pg_isolation_test_session_is_blocked("
                                + member.session().pid() + ", '{" + pids + "}')",
                        limit);
        if (answer instanceof Answer.Rows rows && rows.rows().size() == 1) {
            return "t".equals(rows.rows().get(0).get(0));
        }
        throw new TranscriptException(
                "lock wait query failed: " + (answer instanceof Answer.Failed failed ? failed.full() : "\n"));
    }

    /** Whether any session has received a notice since this was asked last. */
    boolean takeNoticed() {
        boolean was = noticed;
        noticed = false;
        return was;
    }

    /** Closes all of them, also when one cannot be closed properly. */
    @Override
    public void close() throws IOException {
        IOException failure = null;
        for (PgSession session : opened) {
            try {
                session.close();
            } catch (IOException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
