package dev.rowlock.cli;

import dev.rowlock.service.ServiceApplication;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;

/** Starts the Spring application so that its life belongs to {@link Running} and a failed start is one line. */
final class WebService {
    private static final Logger log = LoggerFactory.getLogger(WebService.class);

    /** Neither files in the working folder nor a second report of a failure. */
    private static final Map<String, Object> QUIET = Map.of(
            "spring.config.location", "classpath:/application.properties",
            "logging.register-shutdown-hook", "false",
            "logging.level.org.springframework.boot.web.server.servlet.context", "error",
            "logging.level.org.apache.catalina.core.StandardService", "off",
            "logging.level.com.zaxxer.hikari.pool.HikariPool", "off");

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
        application.setDefaultProperties(QUIET);
        application.addInitializers(context -> {
            context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("rowlock serve", settings));
            running.add(context);
        });
        try {
            ConfigurableApplicationContext context = application.run();
            return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        } catch (RuntimeException e) {
            log.debug("the service did not start", e);
            throw refusal(e);
        }
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
