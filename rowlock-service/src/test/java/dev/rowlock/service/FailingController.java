package dev.rowlock.service;

import dev.rowlock.CommitUnknownException;
import dev.rowlock.Lock;
import dev.rowlock.Rowlock;
import dev.rowlock.Table;
import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Constructor;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Fails in the ways that no request to the service itself can bring about at will. Found by the service's own scan. */
@Hidden
@RestController
class FailingController {
    private final Rowlock rowlock;

    FailingController(Rowlock rowlock) {
        this.rowlock = rowlock;
    }

    @GetMapping("/test/unexpected")
    String unexpected() {
        throw new IllegalStateException("secret in dev.rowlock.service");
    }

    @GetMapping("/test/error")
    String error() {
        throw new StackOverflowError("secret");
    }

    @GetMapping("/test/commit-unknown")
    String commitUnknown() throws ReflectiveOperationException {
        Constructor<CommitUnknownException> constructor =
                CommitUnknownException.class.getDeclaredConstructor(String.class, String.class, Throwable.class);
        constructor.setAccessible(true);
        throw constructor.newInstance("secret", "1", new IllegalStateException("secret"));
    }

    @GetMapping("/test/no-wait/{wallet}")
    String noWait(@PathVariable long wallet) {
        return rowlock.withLock(
                Table.of("wallet", "id"), wallet, Lock.forUpdate().noWait(), (tx, row) -> "locked");
    }

    /** Raised before Spring MVC is reached. */
    @Bean
    static Filter failingFilter() {
        return (request, response, chain) -> {
            if (request instanceof HttpServletRequest http
                    && http.getRequestURI().equals("/test/filter")) {
                throw new IllegalStateException("secret");
            }
            chain.doFilter(request, response);
        };
    }
}
