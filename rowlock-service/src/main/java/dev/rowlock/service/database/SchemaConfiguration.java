package dev.rowlock.service.database;

import org.flywaydb.core.Flyway;
import org.springframework.boot.flyway.autoconfigure.FlywayMigrationStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Rowlock's own tables come from its jar. Their versions are not the service's, so they have a history of their own. */
@Configuration(proxyBeanMethods = false)
class SchemaConfiguration {
    private static final String HISTORY = "rowlock_schema_history";

    @Bean
    FlywayMigrationStrategy migrations() {
        return own -> {
            own.migrate();
            rowlock(own).migrate();
        };
    }

    private static Flyway rowlock(Flyway own) {
        return Flyway.configure()
                .configuration(own.getConfiguration())
                .locations("classpath:dev/rowlock/migration")
                .table(HISTORY)
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .load();
    }
}
