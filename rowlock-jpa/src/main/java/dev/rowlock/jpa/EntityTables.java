package dev.rowlock.jpa;

import dev.rowlock.Key;
import dev.rowlock.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.metamodel.mapping.JdbcMapping;
import org.hibernate.metamodel.mapping.TableDetails.KeyDetails;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.persister.entity.mutation.EntityTableMapping;

/**
 * The tables that hold the rows of an entity and its subclasses: whoever changes the entity changes rows there. An UPDATE of a
 * joined subclass or a secondary table may touch that table alone, so a lock on the root's row would not stop it.
 *
 * @param places one, or one for each concrete class where each has a table of its own
 */
record EntityTables(EntityPersister entity, List<Place> places) {
    /**
     * Rows that belong together.
     *
     * @param root has a row for each entity
     * @param others may have one
     */
    record Place(KeyedTable root, Set<KeyedTable> others) {}

    /** A table and its key columns, as they are written in SQL. */
    record KeyedTable(String name, List<String> key) {
        String columns(String prefix) {
            return String.join(", ", key.stream().map(column -> prefix + column).toList());
        }
    }

    /** A value as it is sent. */
    record JdbcValue(Object value, JdbcMapping mapping) {}

    static EntityTables of(EntityPersister entity) {
        Map<KeyedTable, Set<KeyedTable>> places = new LinkedHashMap<>();
        // Sorted, so that every caller locks tables of one hierarchy in the same order, whatever class he asks for.
        for (String name : new TreeSet<>(entity.getEntityMetamodel().getSubclassEntityNames())) {
            EntityPersister type = entity.getFactory().getMappingMetamodel().getEntityDescriptor(name);
            if (!type.getEntityMetamodel().isAbstract()) {
                addTables(type, places);
            }
        }
        if (places.isEmpty()) {
            throw new IllegalArgumentException("entity " + entity.getEntityName() + " has no table to lock rows of");
        }
        return new EntityTables(
                entity,
                places.entrySet().stream()
                        .sorted(Map.Entry.comparingByKey(Comparator.comparing(KeyedTable::name)))
                        .map(place -> new Place(place.getKey(), place.getValue()))
                        .toList());
    }

    private static void addTables(EntityPersister type, Map<KeyedTable, Set<KeyedTable>> places) {
        List<KeyedTable> roots = new ArrayList<>();
        Set<KeyedTable> others = new TreeSet<>(Comparator.comparing(KeyedTable::name));
        type.forEachMutableTable(table -> {
            if (table.isIdentifierTable()) {
                roots.add(keyed(table));
            } else if (!table.isInverse()) {
                others.add(keyed(table));
            }
        });
        roots.forEach(root -> places.computeIfAbsent(root, any -> new TreeSet<>(Comparator.comparing(KeyedTable::name)))
                .addAll(others));
    }

    private static KeyedTable keyed(EntityTableMapping table) {
        KeyDetails key = table.getKeyDetails();
        List<String> columns = new ArrayList<>();
        for (int i = 0; i < key.getColumnCount(); i++) {
            columns.add(key.getKeyColumn(i).getColumnName());
        }
        return new KeyedTable(table.getTableName(), List.copyOf(columns));
    }

    /** The id as the values of the key columns. */
    List<JdbcValue> keyOf(Object id, SharedSessionContractImplementor session) {
        List<JdbcValue> values = new ArrayList<>();
        entity.getIdentifierMapping()
                .forEachJdbcValue(
                        id,
                        (index, value, type) -> {
                            if (value == null) {
                                throw new IllegalArgumentException(
                                        "the id of " + entity.getEntityName() + " has no value in column "
                                                + places.get(0).root().key().get(index) + "; no row has a NULL key");
                            }
                            values.add(new JdbcValue(value, type));
                        },
                        session);
        return values;
    }

    /** The root table for messages and errors, with the version column if it has one there. */
    Table table() {
        KeyedTable root = places.get(0).root();
        List<String> name = new ArrayList<>(unquoted(root.name()));
        Table table = Table.of(
                name.get(name.size() - 1),
                root.key().stream().map(column -> unquoted(column).get(0)).toArray(String[]::new));
        if (name.size() > 1) {
            table = table.inSchema(name.get(name.size() - 2));
        }
        if (entity.isVersioned()) {
            table = table.withVersion(unquoted(entity.getVersionMapping().getSelectionExpression())
                    .get(0));
        }
        return table;
    }

    Key key(Object id, SharedSessionContractImplementor session) {
        return Key.of(keyOf(id, session).stream()
                .map(value -> isKeyValue(value.value())
                        ? value.value()
                        : value.value().toString())
                .toArray());
    }

    private static boolean isKeyValue(Object value) {
        return value instanceof Long
                || value instanceof Integer
                || value instanceof Short
                || value instanceof Byte
                || value instanceof String
                || value instanceof java.util.UUID;
    }

    /** {@code a."B"} is a and B. */
    private static List<String> unquoted(String name) {
        List<String> parts = new ArrayList<>();
        StringBuilder part = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == '.' && !quoted) {
                parts.add(part.toString());
                part.setLength(0);
            } else {
                part.append(c);
            }
        }
        parts.add(part.toString());
        return parts;
    }

    /** All tables by name, for recognising them in SQL. */
    Set<String> names() {
        Set<String> names = new LinkedHashSet<>();
        places.forEach(place -> names.add(place.root().name()));
        return names;
    }
}
