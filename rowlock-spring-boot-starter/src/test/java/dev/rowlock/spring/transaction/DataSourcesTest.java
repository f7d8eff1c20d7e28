package dev.rowlock.spring.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.rowlock.Rowlock;
import dev.rowlock.spring.TestDatabase;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Which data source Rowlock works on, and what may be wrapped around it. */
class DataSourcesTest {
    private static final String PID = "SELECT pg_backend_pid() AS pid";
    private static TestDatabase database;
    private static DataSource pool;

    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(RowlockAutoConfiguration.class));

    @BeforeAll
    static void open() {
        database = TestDatabase.create("CREATE TABLE note (id bigint PRIMARY KEY, size int NOT NULL)");
        pool = database.unpooled();
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @Test
    void withoutADataSourceThereIsNoRowlock() {
        runner.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Rowlock.class));
    }

    @Test
    void rowlockOfTheApplicationIsTheOne() {
        Rowlock own = Rowlock.over(pool);
        runner.withBean("pool", DataSource.class, () -> pool)
                .withBean("own", Rowlock.class, () -> own)
                .run(context -> assertThat(context.getBean(Rowlock.class)).isSameAs(own));
    }

    @Test
    void severalDataSourcesWithoutAPrimaryOneAreAnErrorThatNamesThem() {
        runner.withBean("orders", DataSource.class, () -> pool)
                .withBean("archive", DataSource.class, () -> pool)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("archive, orders")
                        .hasMessageContaining("@Primary"));
    }

    @Configuration(proxyBeanMethods = false)
    static class WithAPrimaryOne {
        @Bean
        @Primary
        DataSource orders() {
            return pool;
        }

        @Bean
        DataSource archive() {
            return new HikariDataSource();
        }
    }

    @Test
    void primaryDataSourceIsTheOne() {
        runner.withUserConfiguration(WithAPrimaryOne.class)
                .run(context ->
                        assertThat(context.getBean(Rowlock.class).query(PID)).hasSize(1));
    }

    @Test
    void wrappedDataSourcesAreJoinedAndWorkAlone() {
        joins(new TransactionAwareDataSourceProxy(pool), pool);
        joins(new LazyConnectionDataSourceProxy(pool), pool);
        joins(new TransactionAwareDataSourceProxy(new LazyConnectionDataSourceProxy(pool)), pool);
        DataSource lazy = new LazyConnectionDataSourceProxy(pool);
        joins(lazy, lazy);
        joins(pool, lazy);
        joins(pool, pool);
    }

    /** @param ofTransactions what the transaction manager has */
    private void joins(DataSource bean, DataSource ofTransactions) {
        runner.withBean(DataSource.class, () -> bean)
                .withBean(JdbcTransactionManager.class, () -> new JdbcTransactionManager(ofTransactions))
                .run(context -> {
                    Rowlock rowlock = context.getBean(Rowlock.class);
                    assertThat(rowlock.query(PID)).hasSize(1);
                    new TransactionTemplate(context.getBean(JdbcTransactionManager.class))
                            .executeWithoutResult(status -> assertThat(
                                            rowlock.query(PID).get(0).getLong("pid"))
                                    .isEqualTo(new JdbcTemplate(ofTransactions).queryForObject(PID, Long.class)));
                });
    }

    @Test
    void joiningCanBeSwitchedOff() {
        runner.withPropertyValues("rowlock.join-transactions=false")
                .withBean(DataSource.class, () -> pool)
                .withBean(JdbcTransactionManager.class, () -> new JdbcTransactionManager(pool))
                .run(context -> new TransactionTemplate(context.getBean(JdbcTransactionManager.class))
                        .executeWithoutResult(status -> assertThat(
                                        context.getBean(Rowlock.class).isInUnitOfWork())
                                .isFalse()));
    }
}
