package dev.rowlock.prover.junit;

import dev.rowlock.prover.RaceDatabase;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests, and what runs before and after each of them, a {@link RaceDatabase} as a parameter: one for each test, empty at its
 * beginning and dropped after its end, on a PostgreSQL that is started once in the JVM.
 *
 * <p>Every race in it leaves a report, {@code CLASS.METHOD.NUMBER.txt}, in the folder {@code target/race-reports} or the one that
 * the system property {@value #REPORTS} names: the verdict, the counts, and the bad order if there is one.
 */
public final class RaceExtension implements ParameterResolver {
    /** The system property that names the folder for reports. */
    public static final String REPORTS = "rowlock.race.reports";

    private static final Namespace NAMESPACE = Namespace.create(RaceExtension.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == RaceDatabase.class
                && context.getTestMethod().isPresent();
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getStore(NAMESPACE)
                .computeIfAbsent(RaceDatabase.class, any -> open(context), RaceDatabase.class);
    }

    private static RaceDatabase open(ExtensionContext context) {
        RaceDatabase database = RaceDatabase.throwAway();
        database.onReport(new ReportFiles(context.getRequiredTestClass().getName() + "."
                + context.getRequiredTestMethod().getName()));
        return database;
    }
}
