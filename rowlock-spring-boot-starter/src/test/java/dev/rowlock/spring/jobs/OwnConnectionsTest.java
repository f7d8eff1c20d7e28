package dev.rowlock.spring.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.rowlock.spring.TestDatabase;
import dev.rowlock.watch.trace.Trace;
import org.junit.jupiter.api.Test;

/** A worker listens for jobs on a connection that is not the pool's, whatever stands around the pool. */
class OwnConnectionsTest {
    @Test
    void poolIsFoundBehindATrace() {
        try (TestDatabase database = TestDatabase.create();
                HikariDataSource pool = database.pool()) {
            assertThat(OwnConnections.of(pool)).isPresent();
            assertThat(OwnConnections.of(Trace.builder().build().over(pool))).isPresent();
        }
    }
}
