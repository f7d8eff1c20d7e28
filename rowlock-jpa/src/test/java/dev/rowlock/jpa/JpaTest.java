package dev.rowlock.jpa;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.BeforeEach;

/** Empty tables, and another transaction to be in the way. */
abstract class JpaTest {
    private static final Executor THREADS = command -> {
        Thread thread = new Thread(command, "other");
        thread.setDaemon(true);
        thread.start();
    };

    @BeforeEach
    void clear() {
        JpaDatabase.clear();
    }

    /** Runs in a thread of its own. */
    static <T> CompletableFuture<T> start(Callable<T> work) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return work.call();
                    } catch (Exception e) {
                        throw new CompletionException(e);
                    }
                },
                THREADS);
    }

    /** A transaction of somebody who has never heard of Rowlock. */
    static final class Other implements AutoCloseable {
        private final Connection connection;

        Other(String... sql) {
            try {
                connection = JpaDatabase.dataSource().getConnection();
                connection.setAutoCommit(false);
                run(sql);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        void run(String... sql) {
            try (Statement statement = connection.createStatement()) {
                for (String one : sql) {
                    statement.execute(one);
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        void commit() {
            try {
                connection.commit();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            try {
                connection.rollback();
                connection.close();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
