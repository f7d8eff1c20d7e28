package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationsTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0 ms, 1 s",
        "999, 999 ms, 1 s",
        "1499, 1.4 s, 2 s",
        "59999, 59.9 s, 1 min 0 s",
        "123000, 2 min 3 s, 2 min 3 s",
        "3900000, 1 h 5 min, 1 h 5 min"
    })
    void wordsAndGuesses(long millis, String words, String roughly) {
        assertThat(Durations.words(millis)).isEqualTo(words);
        assertThat(Durations.roughly(millis)).isEqualTo(roughly);
    }
}
