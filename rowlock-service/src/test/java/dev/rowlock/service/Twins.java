package dev.rowlock.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.prover.Race;
import dev.rowlock.prover.engine.Verdict;
import dev.rowlock.prover.engine.Verdict.Anomaly;
import java.util.function.Function;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What the service does, as it is usually written with the same framework by somebody who does not think of the other writer. */
public final class Twins {
    private final JdbcClient jdbc;
    private final TransactionTemplate transactions;

    public Twins(DataSource dataSource) {
        jdbc = JdbcClient.create(dataSource);
        transactions = new TransactionTemplate(new DataSourceTransactionManager(dataSource));
    }

    /** In one transaction. */
    public <T> T inTransaction(Function<JdbcClient, T> work) {
        return transactions.execute(status -> work.apply(jdbc));
    }

    /** Such a twin must be found out, and by the name of what goes wrong. */
    public static void assertViolated(Race race, Anomaly anomaly) {
        assertThat(race.explore().verdict())
                .isInstanceOfSatisfying(
                        Verdict.Violated.class,
                        violated -> assertThat(violated.anomaly()).isEqualTo(anomaly));
    }
}
