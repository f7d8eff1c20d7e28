package dev.rowlock.service.request;

import org.springframework.context.annotation.Configuration;
import org.springframework.http.converter.HttpMessageConverters;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Puts the strict reader before Spring's lenient one. */
@Configuration(proxyBeanMethods = false)
class RequestConfiguration implements WebMvcConfigurer {
    private final RecordBinder binder;

    RequestConfiguration(RecordBinder binder) {
        this.binder = binder;
    }

    @Override
    public void configureMessageConverters(HttpMessageConverters.ServerBuilder builder) {
        builder.addCustomConverter(new StrictJsonConverter(binder));
    }
}
