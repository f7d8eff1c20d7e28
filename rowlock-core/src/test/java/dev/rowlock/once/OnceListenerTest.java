package dev.rowlock.once;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.rowlock.DatabaseTest;
import dev.rowlock.RowlockSchema;
import dev.rowlock.Session;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each request is told of once, by what it met. */
class OnceListenerTest extends DatabaseTest {
    private static final OnceKey KEY = new OnceKey("acme", "k");
    private static final OnceKey OTHER = new OnceKey("acme", "l");
    private static final Fingerprint CHARGE = Fingerprint.of("charge");

    private final List<String> heard = new CopyOnWriteArrayList<>();
    private Once once;

    @BeforeEach
    void install() {
        RowlockSchema.install(rowlock);
        once = Once.builder(rowlock)
                .waitLimit(Duration.ofMillis(1))
                .listener(new OnceListener() {
                    @Override
                    public void onAnswered(OnceKey key, boolean replayed) {
                        heard.add((replayed ? "replayed " : "new ") + key.key());
                    }

                    @Override
                    public void onInFlight(OnceKey key) {
                        heard.add("in flight " + key.key());
                    }

                    @Override
                    public void onKeyReused(OnceKey key) {
                        heard.add("reused " + key.key());
                    }
                })
                .build();
    }

    private OnceResult charge(Once by) {
        return by.run(KEY, CHARGE, tx -> Answer.of("done"));
    }

    @Test
    void newThenReplayedThenReused() {
        assertThat(charge(once).replayed()).isFalse();
        assertThat(charge(once).replayed()).isTrue();
        assertThatExceptionOfType(KeyReusedException.class)
                .isThrownBy(() -> once.run(KEY, Fingerprint.of("other"), tx -> Answer.of("done")));

        assertThat(heard).containsExactly("new k", "replayed k", "reused k");
    }

    @Test
    void requestUnderWay() throws Exception {
        try (Session other = Session.open(database)) {
            other.run("INSERT INTO rowlock_once (scope, key, fingerprint, expires_at)"
                    + " VALUES ('acme', 'k', '', now() + interval '1 day')");
            assertThatExceptionOfType(InFlightException.class).isThrownBy(() -> charge(once));
        }

        assertThat(heard).containsExactly("in flight k");
    }

    @Test
    void oneStatementIsToldOfLikeSteps() {
        OnceStatement effect = OnceStatement.of("SELECT 200 AS status, 'done' AS body");
        OnceStatement none = OnceStatement.of("SELECT 200 AS status, 'done' AS body WHERE false");
        once.run(KEY, CHARGE, effect, tx -> Answer.of("refused"));
        once.run(KEY, CHARGE, effect, tx -> Answer.of("refused"));
        once.run(OTHER, CHARGE, none, tx -> Answer.of("refused"));

        assertThat(heard).containsExactly("new k", "replayed k", "new l");
    }

    @Test
    void refusalIsOneAnswer() {
        once.run(KEY, CHARGE, tx -> {
            throw new OnceRefusal(Answer.of("refused"));
        });

        assertThat(heard).containsExactly("new k");
    }

    @Test
    void failureIsNotToldOf() {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> once.run(KEY, CHARGE, tx -> {
                    throw new IllegalStateException("no");
                }));

        assertThat(heard).isEmpty();
    }

    /** The outer request has failed, but not because of its key. */
    @Test
    void keyInsideIsToldOfForItself() {
        charge(once);
        assertThatExceptionOfType(KeyReusedException.class)
                .isThrownBy(() -> once.run(
                        OTHER,
                        CHARGE,
                        outer -> once.run(KEY, Fingerprint.of("other"), tx -> Answer.of("done"))
                                .answer()));

        assertThat(heard).containsExactly("new k", "reused k");
    }

    @Test
    void listenerStaysWithAnotherWaitLimit() {
        charge(once.withWaitLimit(Duration.ofSeconds(1)));

        assertThat(heard).containsExactly("new k");
    }

    @Test
    void listenerThatFailsHarmsNobody() {
        Once broken = Once.builder(rowlock)
                .listener(new OnceListener() {
                    @Override
                    public void onAnswered(OnceKey key, boolean replayed) {
                        heard.add("asked");
                        throw new AssertionError("broken meter");
                    }

                    @Override
                    public void onKeyReused(OnceKey key) {
                        throw new IllegalStateException("broken meter");
                    }
                })
                .build();

        assertThat(charge(broken).answer().text()).isEqualTo("done");
        assertThat(charge(broken).replayed()).isTrue();
        assertThatExceptionOfType(KeyReusedException.class)
                .isThrownBy(() -> broken.run(KEY, Fingerprint.of("other"), tx -> Answer.of("done")));
        assertThat(heard).containsExactly("asked", "asked");
    }
}
