package dev.rowlock.spring.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Enumeration;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

/** {@link EntityTags}, which are then required, or an {@link Optional} of them, read from If-Match. */
final class EntityTagsArgument implements HandlerMethodArgumentResolver {
    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.nestedIfOptional().getNestedParameterType() == EntityTags.class;
    }

    @Override
    public @Nullable Object resolveArgument(
            MethodParameter parameter,
            @Nullable ModelAndViewContainer container,
            NativeWebRequest request,
            @Nullable WebDataBinderFactory binders) {
        String header = header(request);
        if (parameter.getParameterType() == Optional.class) {
            return Optional.ofNullable(header).map(EntityTags::parse);
        }
        return EntityTags.required(header);
    }

    /** A list may come in several lines (RFC 9110, section 5.3). */
    private static @Nullable String header(NativeWebRequest request) {
        HttpServletRequest servlet = request.getNativeRequest(HttpServletRequest.class);
        Enumeration<String> lines = servlet == null ? null : servlet.getHeaders(HttpHeaders.IF_MATCH);
        if (lines == null || !lines.hasMoreElements()) {
            return null;
        }
        StringJoiner list = new StringJoiner(", ");
        lines.asIterator().forEachRemaining(list::add);
        return list.toString();
    }
}
