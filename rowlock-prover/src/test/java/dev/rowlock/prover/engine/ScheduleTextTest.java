package dev.rowlock.prover.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleTextTest {
    @Test
    void plainNamesStandAsTheyAre() {
        assertThat(ScheduleText.write(List.of("A1", "commit(a)", "läuft"))).isEqualTo("A1 commit(a) läuft");
        assertThat(ScheduleText.read("  A1\tcommit(a)\n läuft ")).containsExactly("A1", "commit(a)", "läuft");
    }

    @Test
    void whatIsWrittenIsReadBack() {
        List<String> names = List.of("read it", "say \"x\"", "\"", "", "commit(my session)", "plain");

        assertThat(ScheduleText.write(names))
                .isEqualTo("\"read it\" \"say \"\"x\"\"\" \"\"\"\" \"\" \"commit(my session)\" plain");
        assertThat(ScheduleText.read(ScheduleText.write(names))).isEqualTo(names);
    }

    @Test
    void blankLineHasNone() {
        assertThat(ScheduleText.read(" \t")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a \"b", "a\"b\"", "\"a\"b", "\"\"\"", "\""})
    void quotesThatDoNotFitAreRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ScheduleText.read(text))
                .withMessageContaining("\"");
    }
}
