package dev.rowlock.cli;

import dev.rowlock.service.ServiceApplication;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;

/** Starts the Spring application so that its life belongs to {@link Running} and a failed start is one line. */
final class WebService {
    private static final Logger log = LoggerFactory.getLogger(WebService.class);

    /** They report a failed start at length; once it has succeeded they may speak. */
    private static final List<String> SILENT_UNTIL_READY = List.of(
            "org.springframework.boot.web.server.servlet.context",
            "org.apache.catalina.core.StandardService",
            "com.zaxxer.hikari.pool.HikariPool");

    private WebService() {}

    /**
     * Returns once requests are answered.
     *
     * @param settings override those of the service and of the environment
     * @return the port really listened on
     */
    static int start(Map<String, Object> settings, Running running) {
        SpringApplication application = new SpringApplication(ServiceApplication.class);
        application.setRegisterShutdownHook(false);
        application.setDefaultProperties(defaults());
        application.addInitializers(context -> {
            context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("rowlock serve", settings));
            running.add(context);
        });
        try {
            ConfigurableApplicationContext context = application.run();
            LoggingSystem logging = context.getBean(LoggingSystem.class);
            SILENT_UNTIL_READY.forEach(logger -> logging.setLogLevel(logger, null));
            return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        } catch (RuntimeException e) {
            log.debug("the service did not start", e);
            throw refusal(e);
        }
    }

    private static Map<String, Object> defaults() {
        Map<String, Object> defaults = new HashMap<>();
        // A file in the working folder that belongs to another Spring application is not meant for this one.
        defaults.put("spring.config.location", "classpath:/application.properties");
        defaults.put("logging.register-shutdown-hook", "false");
        SILENT_UNTIL_READY.forEach(logger -> defaults.put("logging.level." + logger, "off"));
        return defaults;
    }

    private static Refusal refusal(RuntimeException failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && !(cause instanceof PortInUseException)) {
            cause = cause.getCause();
        }
        if (cause instanceof PortInUseException taken) {
            return ListenAddress.taken(taken.getPort(), failure);
        }
        return new Refusal("the service cannot start: " + Refusal.reason(cause), failure);
    }
}
