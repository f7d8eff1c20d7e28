package dev.rowlock.prover.transcript;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A session on the server that gives its answers in the rhythm of libpq, on which the tester's output depends: an answer that is
 * ready holds back the ones behind it until it is taken, while notices and notifications in front of the next answer are not
 * held back.
 */
final class PgSession implements AutoCloseable {
    private static final String LOST = """
            server closed the connection unexpectedly
            \tThis probably means the server terminated abnormally
            \tbefore or while processing the request.
            """;

    /** A NOTIFY that has arrived. */
    record Notification(int pid, String channel, String payload) {}

    private enum State {
        IDLE,
        BUSY,
        READY
    }

    private final ServerAddress address;
    private final Wire wire;
    private final Login.Key key;
    private final Queue<Notification> notifications = new ArrayDeque<>();
    private Consumer<String> notices = notice -> {};
    private State state = State.IDLE;
    private String query = "";
    private @Nullable Answer answer;
    private @Nullable RowReader reader;

    private PgSession(ServerAddress address, Wire wire, Login.Key key) {
        this.address = address;
        this.wire = wire;
        this.key = key;
    }

    static PgSession open(ServerAddress address, Map<String, String> settings) throws IOException {
        Wire wire = Wire.connect(address.host(), address.port());
        try {
            return new PgSession(address, wire, Login.begin(wire, address, settings));
        } catch (IOException | RuntimeException e) {
            wire.close();
            throw e;
        }
    }

    /** Each notice, in whole lines, goes there as soon as it is read. */
    void onNotice(Consumer<String> listener) {
        notices = listener;
    }

    int pid() {
        return key.pid();
    }

    /** Sends what may be several statements; their answers must all be taken before the next. */
    void send(String sql) throws IOException {
        if (state != State.IDLE) {
            throw new IllegalStateException("another query is running");
        }
        wire.send(new Outgoing().string(sql).as('Q'));
        query = sql;
        state = State.BUSY;
    }

    /** Whether the next answer has still to come; of what has been read, not of what could be. */
    boolean isBusy() throws IOException {
        parse();
        return state == State.BUSY;
    }

    /** Whether something has arrived in time; then it has been read. */
    boolean await(Duration atMost) throws IOException {
        boolean arrived = wire.awaitInput(atMost);
        if (arrived) {
            receive();
        }
        return arrived;
    }

    /** Reads what has arrived. */
    void receive() throws IOException {
        wire.receive();
    }

    /** Whether the server has hung up, and said all that it had to say. */
    boolean isLost() throws IOException {
        return wire.isEnded() && !wire.hasMessage();
    }

    /**
     * The next answer, waited for; nothing behind the last.
     *
     * @throws IOException also if it has not come in time
     */
    Optional<Answer> next(Duration atMost) throws IOException {
        long begin = System.nanoTime();
        while (isBusy()) {
            if (isLost()) {
                state = State.IDLE;
                return Optional.of(new Answer.Failed(LOST, LOST));
            }
            Duration left = atMost.minusNanos(System.nanoTime() - begin);
            if (left.isNegative()) {
                throw new IOException("no answer within " + atMost.toSeconds() + " s");
            }
            await(left);
        }
        Answer ready = answer;
        if (state == State.IDLE || ready == null) {
            return Optional.empty();
        }
        answer = null;
        state = State.BUSY;
        return Optional.of(ready);
    }

    /** Runs it and returns the last answer alone. */
    Answer run(String sql, Duration atMost) throws IOException {
        send(sql);
        Answer last = new Answer.Nothing();
        for (Optional<Answer> next = next(atMost); next.isPresent(); next = next(atMost)) {
            last = next.get();
        }
        return last;
    }

    /** What has arrived since this was asked last, in the server's order. */
    Optional<Notification> takeNotification() throws IOException {
        receive();
        parse();
        return Optional.ofNullable(notifications.poll());
    }

    /** Asks the server to cancel what runs; it may come too late. */
    void cancel() throws IOException {
        Login.cancel(address, key);
    }

    private void parse() throws IOException {
        while (wire.hasMessage()) {
            switch (wire.nextType()) {
                case 'A' -> notified(wire.take());
                case 'N' -> notices.accept(new ServerMessage(wire.take()).full(query, false));
                default -> {
                    if (state == State.READY) {
                        return;
                    }
                    if (state == State.IDLE) {
                        unasked(wire.take());
                    } else {
                        answered(wire.take());
                    }
                }
            }
        }
    }

    private void notified(Message message) {
        notifications.add(new Notification(message.int32(), message.string(), message.string()));
    }

    /** Nothing runs: only a server that ends a session has something to say. */
    private void unasked(Message message) {
        if (message.type() == 'E') {
            notices.accept(new ServerMessage(message).full(query, false));
        }
    }

    private void answered(Message message) throws IOException {
        RowReader rows = reader;
        switch (message.type()) {
            case 'T' -> reader = new RowReader(message);
            case 'D' -> {
                if (rows == null) {
                    throw new IOException("the server sent a row without saying of what");
                }
                rows.add(message);
            }
            case 'C' -> ready(rows == null ? new Answer.Done() : rows.answer());
            case 'I' -> ready(new Answer.Nothing());
            case 'E' -> {
                ServerMessage error = new ServerMessage(message);
                ready(new Answer.Failed(error.brief(), error.full(query, true)));
            }
            case 'Z' -> state = State.IDLE;
            case 'G', 'H', 'W' ->
                throw new TranscriptException("COPY from or to the client is not supported: " + query + "\n");
            default -> {
                // Settings that have changed: nothing here depends on them.
            }
        }
    }

    private void ready(Answer complete) {
        reader = null;
        answer = complete;
        state = State.READY;
    }

    /** Says goodbye where the server still listens; either way it ends the session. */
    @Override
    public void close() throws IOException {
        try (wire) {
            if (!wire.isEnded()) {
                wire.send(new Outgoing().as('X'));
            }
        }
    }
}
