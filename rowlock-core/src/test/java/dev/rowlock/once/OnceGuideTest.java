package dev.rowlock.once;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.DatabaseTest;
import dev.rowlock.RowlockSchema;
import dev.rowlock.Table;
import dev.rowlock.Write;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The examples of docs/once.md, as they stand there, and what it claims. */
class OnceGuideTest extends DatabaseTest {
    private static final Table WALLETS = Table.of("wallet", "id");

    private Once once;

    OnceGuideTest() {
        super(
                "CREATE TABLE wallet (id bigint PRIMARY KEY, balance bigint NOT NULL)",
                "INSERT INTO wallet VALUES (7, 100)");
    }

    @BeforeEach
    void install() {
        RowlockSchema.install(rowlock);
        once = Once.over(rowlock);
    }

    // guide: begin
    OnceResult charge(String tenant, String key, byte[] body, long amount) {
        OnceKey onceKey = new OnceKey(tenant + "/charges", key); // IllegalArgumentException: 400
        Fingerprint fingerprint = Fingerprint.of("POST", "/wallets/7/charges", body);
        return once.run(onceKey, fingerprint, tx -> {
            Write write = tx.update(WALLETS, 7)
                    .add("balance", -amount)
                    .onlyIf("balance >= ?", amount)
                    .apply();
            if (write instanceof Write.Refused refused) {
                // Returned, so it is kept: a repeat is refused too, whatever the balance is then.
                return Answer.of(409, "only " + refused.current().getLong("balance") + " left");
            }
            long left = write.orThrow().getLong("balance"); // thrown, so nothing is kept and the key is free
            return Answer.of(201, "left " + left).withHeader("Content-Type", "text/plain");
        });
    }

    // The same in one statement: with its key it costs one round trip.
    OnceResult chargeInOneStatement(OnceKey key, Fingerprint fingerprint, long amount) {
        OnceStatement statement = OnceStatement.of("""
                UPDATE wallet
                SET balance = balance - ?
                WHERE id = 7 AND balance >= ?
                RETURNING 201 AS status, 'left ' || balance AS body""", amount, amount);
        return once.run(key, fingerprint, statement, tx -> Answer.of(409, "not enough"));
    }
    // guide: end

    @Test
    void standsInTheGuideToTheLetter() throws IOException {
        String source = Files.readString(Path.of("src/test/java/dev/rowlock/once/OnceGuideTest.java"));
        String begin = "    // guide: begin\n";
        String snippet = source.substring(source.indexOf(begin) + begin.length(), source.indexOf("    // guide: end"));

        assertThat(Files.readString(Path.of("../docs/once.md")).replace("\r\n", "\n"))
                .contains("```java\n" + snippet.replaceAll("(?m)^    ", "") + "```");
    }

    @Test
    void doesWhatTheGuideSays() {
        byte[] body = "{\"amount\":80}".getBytes(StandardCharsets.UTF_8);

        OnceResult first = charge("acme", "k-1", body, 80);
        assertThat(first.answer().text()).isEqualTo("left 20");
        assertThat(charge("acme", "k-1", body, 80)).isEqualTo(new OnceResult(first.answer(), true));

        OnceResult refused = charge("acme", "k-2", body, 80);
        assertThat(refused.answer()).isEqualTo(Answer.of(409, "only 20 left"));
        database.sql("UPDATE wallet SET balance = 100");
        assertThat(charge("acme", "k-2", body, 80)).isEqualTo(new OnceResult(refused.answer(), true));

        OnceKey key = new OnceKey("acme/charges", "k-3");
        OnceResult one = chargeInOneStatement(key, Fingerprint.of("x"), 80);
        assertThat(one).isEqualTo(new OnceResult(Answer.of(201, "left 20"), false));
        assertThat(chargeInOneStatement(key, Fingerprint.of("x"), 80)).isEqualTo(new OnceResult(one.answer(), true));
    }
}
