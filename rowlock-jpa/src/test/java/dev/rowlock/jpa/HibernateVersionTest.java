package dev.rowlock.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import org.hibernate.Version;
import org.junit.jupiter.api.Test;

/** These tests are run twice; each time on the Hibernate that the build says. */
class HibernateVersionTest {
    @Test
    void isTheOneThatTheBuildAsksFor() {
        assertThat(Version.getVersionString()).isEqualTo(System.getProperty("rowlock.hibernate"));
    }
}
