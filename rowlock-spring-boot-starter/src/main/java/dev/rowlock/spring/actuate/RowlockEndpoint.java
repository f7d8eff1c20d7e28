package dev.rowlock.spring.actuate;

import dev.rowlock.spring.RowlockProperties;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/** {@code /actuator/rowlock}: the version, the limits, a summary of the meters, and what else there is. */
@Endpoint(id = "rowlock")
public final class RowlockEndpoint {
    private static final Logger LOG = LoggerFactory.getLogger(RowlockEndpoint.class);
    private static final String PREFIX = "rowlock.";

    private final RowlockProperties properties;
    private final Optional<MeterRegistry> meters;
    private final List<RowlockEndpointContributor> contributors;

    RowlockEndpoint(
            RowlockProperties properties,
            Optional<MeterRegistry> meters,
            List<RowlockEndpointContributor> contributors) {
        this.properties = properties;
        this.meters = meters;
        this.contributors = contributors;
    }

    /** Everything. */
    @ReadOperation
    public Map<String, Object> rowlock() {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put(
                "version",
                Optional.ofNullable(RowlockEndpoint.class.getPackage().getImplementationVersion())
                        .orElse("unknown"));
        answer.put("limits", limits());
        meters.ifPresent(registry -> answer.put("meters", summary(registry)));
        contributors.forEach(contributor -> answer.put(contributor.name(), details(contributor)));
        return answer;
    }

    private Map<String, Object> limits() {
        Map<String, Object> limits = new LinkedHashMap<>();
        limits.put("lockTimeoutMillis", properties.lockTimeout().toMillis());
        limits.put("statementTimeoutMillis", properties.statementTimeout().toMillis());
        limits.put(
                "idleInTransactionTimeoutMillis",
                properties.idleInTransactionTimeout().toMillis());
        limits.put("maxRows", properties.maxRows());
        limits.put("maxAttempts", properties.maxAttempts());
        limits.put("retryBudgetMillis", properties.retryBudget().toMillis());
        limits.put("isolation", properties.isolation().name());
        return limits;
    }

    /** The counts of counters and timers and the values of gauges, over all their tags. */
    private static Map<String, Double> summary(MeterRegistry registry) {
        Map<String, Double> summary = new TreeMap<>();
        registry.getMeters().stream()
                .filter(meter -> meter.getId().getName().startsWith(PREFIX))
                .forEach(meter -> {
                    double value = meter.match(
                            gauge -> gauge.value(),
                            counter -> counter.count(),
                            timer -> (double) timer.count(),
                            distribution -> (double) distribution.count(),
                            task -> (double) task.activeTasks(),
                            timeGauge -> timeGauge.value(),
                            counter -> counter.count(),
                            timer -> timer.count(),
                            other -> Double.NaN);
                    if (!Double.isNaN(value)) {
                        summary.merge(meter.getId().getName(), value, Double::sum);
                    }
                });
        return summary;
    }

    private static Object details(RowlockEndpointContributor contributor) {
        try {
            return contributor.details();
        } catch (RuntimeException e) {
            LOG.warn("{} could not be read", contributor.name(), e);
            return Map.of("error", "it could not be read; the log tells why");
        }
    }
}
