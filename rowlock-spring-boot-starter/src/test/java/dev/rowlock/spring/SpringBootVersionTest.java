package dev.rowlock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;
import org.springframework.core.SpringVersion;

/** The tests run on the Spring Boot that they are meant to run on. */
class SpringBootVersionTest {
    @Test
    void springBootIsTheOneThatTheBuildNames() {
        String wanted = System.getProperty("rowlock.test.spring-boot", "4.");
        assertThat(SpringBootVersion.getVersion()).startsWith(wanted);
        assertThat(SpringVersion.getVersion()).startsWith(wanted.startsWith("4") ? "7." : "6.2.");
    }
}
