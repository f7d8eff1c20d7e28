package dev.rowlock.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IVersionProvider;

/**
 * What the build knows about itself: the versions stand in the parent POM and nowhere else.
 *
 * @param version Rowlock's version
 * @param postgres the version of the PostgreSQL inside the jar
 */
record BuildInfo(String version, String postgres) {

    static BuildInfo load() {
        Properties properties = new Properties();
        try (InputStream in = BuildInfo.class.getResourceAsStream("/rowlock.properties")) {
            if (in == null) {
                throw new IllegalStateException("rowlock.properties is missing from the program");
            }
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new BuildInfo(required(properties.getProperty("version")), required(properties.getProperty("postgres")));
    }

    /** The major version, which decides whether a data directory can be opened. */
    String postgresMajor() {
        return postgres.substring(0, postgres.indexOf('.'));
    }

    private static String required(@Nullable String value) {
        if (value == null) {
            throw new IllegalStateException("rowlock.properties is incomplete");
        }
        return value;
    }

    /** Answers {@code --version}. */
    static final class Versions implements IVersionProvider {
        @Override
        public String[] getVersion() {
            BuildInfo info = load();
            return new String[] {
                "rowlock " + info.version() + " (PostgreSQL " + info.postgres() + ", Java " + Runtime.version() + ")"
            };
        }
    }
}
