package dev.rowlock.once;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.rowlock.Rowlock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

class OnceValuesTest {
    @Test
    void keysAndScopesHaveALengthAndAreOnePlainLine() {
        assertThat(new OnceKey("s".repeat(100), "k ~".repeat(85)).toString()).contains("k ~k");
        assertThatThrownBy(() -> new OnceKey("s".repeat(101), "k"))
                .hasMessageContaining("the scope has 101 characters");
        assertThatThrownBy(() -> new OnceKey("s", "k".repeat(256)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the idempotency key has 256 characters; it must have 1 to 255");
        assertThatThrownBy(() -> new OnceKey("s", "")).hasMessageContaining("0 characters");
        assertThatThrownBy(() -> new OnceKey("", "k")).hasMessageContaining("0 characters");
        assertThatThrownBy(() -> new OnceKey("s", "a\nb")).hasMessageContaining("U+000A at position 1");
        assertThatThrownBy(() -> new OnceKey("s", "é")).hasMessageContaining("U+00E9");
        assertThatThrownBy(() -> new OnceKey("s", "\u007f")).hasMessageContaining("U+007F");
    }

    @Test
    void fingerprintTellsRequestsApart() {
        byte[] body = {1, 2};
        Fingerprint fingerprint = Fingerprint.of("POST", "/a", body);

        assertThat(fingerprint)
                .isEqualTo(Fingerprint.of("POST", "/a", body.clone()))
                .hasSameHashCodeAs(Fingerprint.of("POST", "/a", body));
        assertThat(fingerprint)
                .isNotEqualTo(Fingerprint.of("PUT", "/a", body))
                .isNotEqualTo(Fingerprint.of("POST", "/b", body))
                .isNotEqualTo(Fingerprint.of("POST", "/a", new byte[] {1, 3}))
                .isNotEqualTo(Fingerprint.of("POST/", "a", body));
        assertThat(Fingerprint.of("é")).isEqualTo(Fingerprint.of(new byte[] {(byte) 0xc3, (byte) 0xa9}));
        assertThat(fingerprint.bytes()).hasSize(32);
        assertThat(fingerprint.toString()).hasSize(64);
    }

    @Test
    void answerKeepsItsHeadersInOrderOnceEach() {
        Answer answer = Answer.of(201, "é")
                .withHeader("ETag", "\"1\"")
                .withHeader("Location", "/a: b")
                .withHeader("etag", "\"2\"");

        assertThat(answer.headers()).containsExactly(entry("Location", "/a: b"), entry("etag", "\"2\""));
        assertThat(Headers.read(Headers.write(answer.headers()))).isEqualTo(answer.headers());
        assertThat(answer.body()).hasSize(2);
        assertThat(answer.text()).isEqualTo("é");
        assertThat(answer)
                .hasToString("201 {Location=/a: b, etag=\"2\"} 2 bytes")
                .isNotEqualTo(Answer.of(201, "é"));
        assertThat(Headers.read("")).isEmpty();
        assertThat(Headers.read("A: \n")).containsEntry("A", "");
    }

    @Test
    void bytesOfAnAnswerCannotBeChanged() {
        byte[] body = {1};
        Answer answer = Answer.of(200, body);
        body[0] = 2;
        answer.body()[0] = 3;
        assertThat(answer.body()).containsExactly(1);
    }

    @Test
    void headersThatHttpWouldNotTakeAreRefused() {
        Answer answer = Answer.of("");
        assertThatThrownBy(() -> answer.withHeader("a b", "c")).hasMessageContaining("not an HTTP token");
        assertThatThrownBy(() -> answer.withHeader("", "c")).hasMessageContaining("not an HTTP token");
        assertThatThrownBy(() -> answer.withHeader("a", "b\r\nSet-Cookie: x")).hasMessageContaining("printable ASCII");
        Answer full = answer;
        for (int i = 0; i < Answer.MAX_HEADERS; i++) {
            full = full.withHeader("H" + i, "v");
        }
        Answer most = full;
        assertThatThrownBy(() -> most.withHeader("one", "more")).hasMessageContaining("one more than 32");
    }

    @Test
    void limitsAreChecked() {
        Rowlock rowlock = Rowlock.over(new PGSimpleDataSource());
        assertThatThrownBy(() -> Once.builder(rowlock).retention(Duration.ZERO)).hasMessageContaining("retention");
        assertThatThrownBy(() -> Once.builder(rowlock).retention(Duration.ofDays(3651)))
                .hasMessageContaining("retention");
        assertThatThrownBy(() -> Once.builder(rowlock).waitLimit(Duration.ofNanos(999)))
                .hasMessageContaining("waitLimit");
        assertThatThrownBy(() -> Once.over(rowlock).withWaitLimit(Duration.ofDays(2)))
                .hasMessageContaining("waitLimit");
        assertThatThrownBy(() -> Once.builder(rowlock).maxAnswerBytes(0)).hasMessageContaining("maxAnswerBytes");
        assertThatThrownBy(() -> Once.builder(rowlock).maxAnswerBytes(1 << 25)).hasMessageContaining("16777216");
    }
}
