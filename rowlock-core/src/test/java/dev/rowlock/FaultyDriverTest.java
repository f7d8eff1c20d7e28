package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** A wrapper around the driver fails at the worst moment: what the caller is told is still what happened. */
class FaultyDriverTest extends DatabaseTest {
    private static final Table NOTES = Table.of("note", "id");

    FaultyDriverTest() {
        super("CREATE TABLE note (id bigint PRIMARY KEY)");
    }

    @Test
    void commitThatWasDoneBeforeTheWrapperFailedCountsAsCommitted() {
        Row note =
                faulty("commit", true).call(tx -> tx.insert(NOTES).set("id", 1).apply());

        assertThat(note.getLong("id")).isEqualTo(1);
        assertThat(database.number("SELECT count(*) FROM note")).isEqualTo(1);
    }

    @Test
    void commitThatTheWrapperKeptFromTheServerIsRolledBackAndToldSo() {
        assertThatExceptionOfType(ConnectionLostException.class)
                .isThrownBy(() -> faulty("commit", false)
                        .run(tx -> tx.insert(NOTES).set("id", 1).apply()));

        assertThat(database.number("SELECT count(*) FROM note")).isZero();
    }

    /** Switching auto-commit on, as connections are given back, would commit what should have been rolled back. */
    @Test
    void rollbackThatFailsNeverBecomesACommit() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> faulty("rollback", false).run(tx -> {
                    tx.insert(NOTES).set("id", 1).apply();
                    throw new IllegalArgumentException("no");
                }))
                .satisfies(e -> assertThat(e.getSuppressed()).isNotEmpty());

        database.awaitNoTransaction();
        assertThat(database.number("SELECT count(*) FROM note")).isZero();
    }

    /** Connections whose method fails once, before or after it has done its work. */
    private Rowlock faulty(String method, boolean afterwards) {
        DataSource real = database.unpooled();
        boolean[] spent = {false};
        return Rowlock.over((DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, called, args) -> {
                    if (!called.getName().equals("getConnection")) {
                        return called.invoke(real, args);
                    }
                    Connection connection = real.getConnection();
                    return Proxy.newProxyInstance(
                            getClass().getClassLoader(), new Class<?>[] {Connection.class}, (self, what, arguments) -> {
                                boolean fails = what.getName().equals(method) && !spent[0];
                                spent[0] |= fails;
                                if (fails && !afterwards) {
                                    throw new IllegalStateException("the wrapper failed before " + method);
                                }
                                Object result = invoke(connection, what, arguments);
                                if (fails) {
                                    throw new IllegalStateException("the wrapper failed after " + method);
                                }
                                return result;
                            });
                }));
    }

    private static Object invoke(Connection connection, Method method, Object[] arguments) throws SQLException {
        try {
            return method.invoke(connection, arguments);
        } catch (InvocationTargetException e) {
            if (e.getTargetException() instanceof SQLException sql) {
                throw sql;
            }
            throw new IllegalStateException(e.getTargetException());
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
