package dev.rowlock.jpa;

import dev.rowlock.MissingRowException;
import dev.rowlock.Row;
import dev.rowlock.RowlockException;
import dev.rowlock.StaleRowException;
import dev.rowlock.Table;
import dev.rowlock.jpa.EntityTables.JdbcValue;
import dev.rowlock.jpa.EntityTables.KeyedTable;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.hibernate.engine.spi.SessionImplementor;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.type.descriptor.ValueBinder;

/** Reads the root row of an entity as it is, to tell whether a write that found nothing was too late or is about nothing. */
final class EntityRows {
    private final SessionImplementor session;
    private final EntityTables tables;

    EntityRows(SessionImplementor session, EntityPersister entity) {
        this.session = session;
        this.tables = EntityTables.of(entity);
    }

    /** A row that is there has another version than the expected one. */
    RowlockException explain(Object id, long expectedVersion) {
        Table table = tables.table();
        Optional<Row> row = read(table, id);
        return row.<RowlockException>map(current -> new StaleRowException(table, current, expectedVersion))
                .orElseGet(() -> new MissingRowException(table, tables.key(id, session)));
    }

    private Optional<Row> read(Table table, Object id) {
        for (EntityTables.Place place : tables.places()) {
            Optional<Row> row = read(place.root(), table, id);
            if (row.isPresent()) {
                return row;
            }
        }
        return Optional.empty();
    }

    private Optional<Row> read(KeyedTable from, Table table, Object id) {
        String sql = "SELECT * FROM " + from.name() + " WHERE "
                + from.key().stream().map(column -> column + " = ?").collect(Collectors.joining(" AND "));
        return session.doReturningWork(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                int at = 1;
                for (JdbcValue value : tables.keyOf(id, session)) {
                    @SuppressWarnings("unchecked")
                    ValueBinder<Object> binder = value.mapping().getJdbcValueBinder();
                    binder.bind(statement, value.value(), at, session);
                    at++;
                }
                try (ResultSet found = statement.executeQuery()) {
                    List<Row> rows = Row.readAll(table, found);
                    return rows.stream().findFirst();
                }
            } catch (SQLException e) {
                throw RowlockException.translate("read of " + table + " " + id, table, false, e);
            }
        });
    }
}
