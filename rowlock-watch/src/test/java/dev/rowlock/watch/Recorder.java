package dev.rowlock.watch;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Writes down all that it is told, a line each. */
final class Recorder implements Interceptor {
    private final List<String> lines = new ArrayList<>();
    final List<Call> calls = new ArrayList<>();

    @Override
    public void opened(long id, Connection connection) {
        lines.add("opened");
    }

    @Override
    public void before(Call call) {
        calls.add(call);
        lines.add(call.kind() + (call.statements().isEmpty() ? "" : " " + call.text()));
    }

    @Override
    public void after(Call call, Result result) {
        if (result instanceof Result.Returned returned) {
            lines.add("came back" + (returned.counts().isEmpty() ? "" : " " + returned.counts()));
        } else if (result instanceof Result.Failed failed) {
            lines.add("failed " + ((SQLException) failed.error()).getSQLState());
        }
    }

    @Override
    public void atRow(Call query, ResultSet at) throws SQLException {
        lines.add("row " + at.getString(1));
    }

    @Override
    public void unwrapped(long id, Class<?> type) {
        lines.add("unwrapped " + type.getSimpleName());
    }

    /** What it was told since this was asked last. */
    List<String> told() {
        List<String> told = List.copyOf(lines);
        lines.clear();
        return told;
    }

    void forget() {
        lines.clear();
        calls.clear();
    }
}
