package dev.rowlock;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Rows that were locked in one request, in key order as the database sorts. Immutable. */
public final class Rows implements Iterable<Row> {
    private final Table table;
    private final List<Row> list;
    private final Map<Key, Row> byKey;

    Rows(Table table, List<Row> rows) {
        this.table = table;
        this.list = List.copyOf(rows);
        this.byKey = new LinkedHashMap<>();
        for (Row row : rows) {
            if (byKey.put(row.key(), row) != null) {
                throw new IllegalStateException("table " + table + " has several rows with the key " + row.key() + " ("
                        + table.key() + "); its key columns must be unique");
            }
        }
    }

    /**
     * The row with this key.
     *
     * @throws MissingRowException if it is not among these rows
     */
    public Row get(Object key) {
        return find(key).orElseThrow(() -> new MissingRowException(table, table.keyOf(key)));
    }

    /** The row with this key, if it is among these rows. */
    public Optional<Row> find(Object key) {
        return Optional.ofNullable(byKey.get(table.keyOf(key)));
    }

    /** All rows, in key order. */
    public List<Row> list() {
        return list;
    }

    /** How many there are. */
    public int size() {
        return list.size();
    }

    /** Whether there is none. */
    public boolean isEmpty() {
        return list.isEmpty();
    }

    /** All rows, in key order. */
    public Stream<Row> stream() {
        return list.stream();
    }

    @Override
    public Iterator<Row> iterator() {
        return list.iterator();
    }

    @Override
    public String toString() {
        return list.toString();
    }
}
