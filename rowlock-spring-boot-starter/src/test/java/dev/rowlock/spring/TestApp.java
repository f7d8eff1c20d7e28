package dev.rowlock.spring;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** A Spring Boot application over a database of its own, with the beans of a test. */
public final class TestApp implements AutoCloseable {
    private final TestDatabase database;
    private final ConfigurableApplicationContext context;

    private TestApp(TestDatabase database, ConfigurableApplicationContext context) {
        this.database = database;
        this.context = context;
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Base {}

    /** Leaves JPA out, so that transactions are those of JDBC. */
    public static TestApp jdbc(TestDatabase database, Map<String, String> properties, Class<?>... beans) {
        Map<String, String> all = new LinkedHashMap<>(properties);
        all.put(
                "spring.autoconfigure.exclude",
                Stream.of(
                                "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
                                "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration",
                                "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration",
                                "org.springframework.boot.autoconfigure.data.jpa.JpaRepositoriesAutoConfiguration")
                        .filter(TestApp::isPresent)
                        .reduce((a, b) -> a + "," + b)
                        .orElseThrow());
        return start(database, all, beans);
    }

    private static boolean isPresent(String type) {
        return org.springframework.util.ClassUtils.isPresent(type, TestApp.class.getClassLoader());
    }

    public static TestApp start(TestDatabase database, Map<String, String> properties, Class<?>... beans) {
        Map<String, String> all = new LinkedHashMap<>(Map.of(
                "spring.datasource.url", database.url(),
                "spring.datasource.hikari.minimum-idle", "0",
                "spring.datasource.hikari.maximum-pool-size", "4",
                "spring.main.banner-mode", "off",
                "spring.jpa.open-in-view", "false",
                "server.port", "0",
                "logging.level.root", "warn"));
        all.putAll(properties);
        List<Class<?>> sources = new ArrayList<>(List.of(Base.class));
        sources.addAll(List.of(beans));
        boolean web = Boolean.parseBoolean(all.getOrDefault("test.web", "false"));
        ConfigurableApplicationContext context = new SpringApplicationBuilder(sources.toArray(Class<?>[]::new))
                .web(web ? WebApplicationType.SERVLET : WebApplicationType.NONE)
                .run(all.entrySet().stream().map(property -> "--" + property).toArray(String[]::new));
        return new TestApp(database, context);
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    public ConfigurableApplicationContext context() {
        return context;
    }

    public TestDatabase database() {
        return database;
    }

    public int port() {
        return Integer.parseInt(context.getEnvironment().getRequiredProperty("local.server.port"));
    }

    @Override
    public void close() {
        context.close();
        database.close();
    }
}
