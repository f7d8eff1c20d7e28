package dev.rowlock.spring.http;

import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.ExceptionHandlerExceptionResolver;

/** Problem details for conflicts and database errors, if {@code rowlock.http.problems.enabled} is true. */
@AutoConfiguration
@ConditionalOnClass(WebMvcConfigurer.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnProperty(name = "rowlock.http.problems.enabled", havingValue = "true")
public class ProblemsAutoConfiguration {

    @Bean
    @Order(Ordered.LOWEST_PRECEDENCE)
    WebMvcConfigurer rowlockProblemDetails(ObjectProvider<ConflictListener> listeners) {
        return new WebMvcConfigurer() {
            @Override
            public void extendHandlerExceptionResolvers(List<HandlerExceptionResolver> resolvers) {
                addBehindHandlers(
                        resolvers, new ProblemResolver(listeners.orderedStream().toList()));
            }
        };
    }

    /** Behind the handlers of the application, before Spring's own answers, which have a status and no body. */
    private static void addBehindHandlers(List<HandlerExceptionResolver> resolvers, HandlerExceptionResolver ours) {
        int at = 0;
        for (int i = 0; i < resolvers.size(); i++) {
            if (resolvers.get(i) instanceof ExceptionHandlerExceptionResolver) {
                at = i + 1;
            }
        }
        resolvers.add(at, ours);
    }
}
