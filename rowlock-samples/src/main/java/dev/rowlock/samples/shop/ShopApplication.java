package dev.rowlock.samples.shop;

import dev.rowlock.Rowlock;
import dev.rowlock.RowlockSchema;
import dev.rowlock.jpa.JpaLocks;
import dev.rowlock.jpa.JpaVersions;
import jakarta.persistence.EntityManager;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** The shop with Rowlock. */
// guide: begin
@SpringBootApplication(scanBasePackages = "dev.rowlock.samples.shop.safe")
public class ShopApplication {
    public static void main(String[] args) {
        SpringApplication.run(ShopApplication.class, args);
    }

    @Bean
    JpaLocks locks(EntityManager em) {
        return JpaLocks.over(em);
    }

    @Bean
    JpaVersions versions(EntityManager em) {
        return JpaVersions.over(em);
    }

    /** The table of idempotency keys; or let Flyway make it. */
    @Bean
    ApplicationRunner schema(Rowlock rowlock) {
        return arguments -> RowlockSchema.install(rowlock);
    }
}
// guide: end
