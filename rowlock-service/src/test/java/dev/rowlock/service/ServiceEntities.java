package dev.rowlock.service;

import jakarta.persistence.EntityManagerFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import javax.sql.DataSource;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;

/** The service's entities with the service's settings over another data source, for proofs. */
public final class ServiceEntities {
    private static final String PREFIX = "spring.jpa.properties.";

    private ServiceEntities() {}

    /** To be closed by the caller. */
    public static EntityManagerFactory over(DataSource dataSource) {
        LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
        factory.setDataSource(dataSource);
        factory.setPackagesToScan(ServiceEntities.class.getPackageName());
        factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
        factory.setJpaPropertyMap(settings());
        factory.afterPropertiesSet();
        return Objects.requireNonNull(factory.getObject());
    }

    private static Map<String, Object> settings() {
        Properties all = new Properties();
        try (InputStream file = ServiceEntities.class.getResourceAsStream("/application.properties")) {
            all.load(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<String, Object> settings = new HashMap<>();
        all.stringPropertyNames().stream()
                .filter(name -> name.startsWith(PREFIX))
                .forEach(name -> settings.put(name.substring(PREFIX.length()), all.getProperty(name)));
        return settings;
    }
}
