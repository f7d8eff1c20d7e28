package dev.rowlock.service.problem;

import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/** Puts {@link ProblemReportValve} where Tomcat reports errors. */
@Configuration(proxyBeanMethods = false)
class TomcatConfiguration {

    /** Runs last, which makes the valve the innermost one: the first to report is the only one. */
    @Bean
    @Order
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> problemReports() {
        return factory -> factory.addContextCustomizers(
                context -> context.getParent().getPipeline().addValve(new ProblemReportValve()));
    }
}
