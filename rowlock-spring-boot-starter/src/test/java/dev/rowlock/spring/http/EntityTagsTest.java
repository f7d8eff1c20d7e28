package dev.rowlock.spring.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** If-Match as RFC 9110 writes it. */
class EntityTagsTest {
    @Test
    void strongTagsAreVersionsAndWeakOnesMatchNothing() {
        EntityTags tags = EntityTags.parse("\"7\", W/\"8\" ,, \"abc\"");
        assertThat(tags.tags()).containsExactly("\"7\"", "W/\"8\"", "\"abc\"");
        assertThat(tags.versions()).containsExactly(7L);
        assertThat(tags.match(7)).isTrue();
        assertThat(tags.match(8)).isFalse();
        assertThat(tags.matchWeakly("\"8\"")).isTrue();
        assertThat(tags.version()).isEqualTo(7);
    }

    @Test
    void starMatchesEveryVersionAndNamesNone() {
        EntityTags star = EntityTags.parse(" * ");
        assertThat(star.any()).isTrue();
        assertThat(star.match(1)).isTrue();
        refused(412, star::version);
        refused(428, () -> EntityTags.required("*"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "7", "\"7", "\"7\" \"8\"", "w/\"7\"", ",", "\"a b\""})
    void whatIsNoListOfTagsIsRefused(String header) {
        refused(400, () -> EntityTags.parse(header));
    }

    @Test
    void missingHeaderIsAPreconditionRequired() {
        @Nullable String none = null;
        refused(428, () -> EntityTags.required(none));
    }

    @Test
    void otherVersionIsAFailedPrecondition() {
        EntityTags tags = EntityTags.parse(EntityTags.tag(7));
        tags.requireMatch(7);
        refused(412, () -> tags.requireMatch(8));
        refused(412, () -> EntityTags.parse("\"1\", \"2\"").version());
    }

    /** Java's own longs end at 19 digits, and no version is that long. */
    @Test
    void tagThatIsNoVersionIsLeftOutOfThem() {
        assertThat(EntityTags.parse("\"0\", \"01\", \"1234567890123456789\", \"-1\"")
                        .versions())
                .isEqualTo(List.of());
    }

    private static void refused(int status, Runnable parse) {
        assertThatThrownBy(parse::run)
                .isInstanceOfSatisfying(
                        RequestRefusedException.class,
                        e -> assertThat(e.getStatusCode().value()).isEqualTo(status));
    }
}
