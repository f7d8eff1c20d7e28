package dev.rowlock.samples.shop;

import com.zaxxer.hikari.HikariDataSource;
import dev.rowlock.prover.Race;
import dev.rowlock.prover.RaceDatabase;
import dev.rowlock.prover.RaceReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.context.WebApplicationContext;

/** One form of the shop as it starts in production, but for a race's data source below its pool. */
final class RacedShop implements AutoCloseable {
    private final RaceDatabase database = RaceDatabase.throwAway();
    private final HikariDataSource pool = new HikariDataSource();
    private final ConfigurableApplicationContext context;
    private final MockMvc http;
    private final List<RaceReport> reports = new ArrayList<>();

    RacedShop(Class<?> application, ApplicationContextInitializer<GenericApplicationContext> more) {
        pool.setDataSource(database.dataSource());
        pool.setMaximumPoolSize(4);
        database.onReport(reports::add);
        context = new SpringApplicationBuilder(application)
                .initializers((GenericApplicationContext beans) ->
                        beans.registerBean(DataSource.class, (Supplier<DataSource>) () -> pool))
                .initializers(more)
                .run(
                        "--server.port=0",
                        "--spring.main.banner-mode=off",
                        "--logging.level.root=warn",
                        "--logging.level.org.hibernate.orm.jdbc.error=off", // deadlocks are what is looked for
                        // What runs in the background would be seen by the prover, which wants to see all there is.
                        "--rowlock.jobs.enabled=false",
                        "--rowlock.idempotency.clean-up-interval=0",
                        // On a busy machine a wait of the other takes a while, and no clock shall decide.
                        "--rowlock.lock-timeout=15s",
                        "--rowlock.idempotency.wait-limit=15s");
        http = MockMvcBuilders.webAppContextSetup((WebApplicationContext) context)
                .build();
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    MockMvc http() {
        return http;
    }

    /** Product 1 is the last one, and accounts 1 and 2 hold 100 each. */
    RacedShop filled() {
        database.execute(
                "DO $$ BEGIN IF to_regclass('rowlock_once') IS NOT NULL THEN TRUNCATE rowlock_once; END IF; END $$",
                "TRUNCATE product, account, orders, payment RESTART IDENTITY",
                "INSERT INTO product (name, price, stock, version) VALUES ('Cup', 5, 1, 1)",
                "INSERT INTO account (balance) VALUES (100), (100)");
        return this;
    }

    /** A race from there on. Which key a new row gets is a matter of order and of no interest. */
    Race race() {
        return Race.on(filled().database)
                .ignoring("orders.id", "payment.id")
                // The first request of an application loads classes for a while.
                .blockedAfter(Duration.ofMinutes(1));
    }

    /** What was found out about the race, and as it is printed. */
    RaceReport explore(Race race) {
        reports.clear();
        race.explore();
        return reports.get(0);
    }

    @Override
    public void close() {
        context.close();
        pool.close();
        database.close();
    }
}
