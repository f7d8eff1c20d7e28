package dev.rowlock.watch.trace;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Remembers what texts were read as, so that a text is parsed once and not each time it is sent. */
final class Shapes {
    /** More are a sign of values that are written into texts; then all are forgotten and it begins anew. */
    static final int MOST = 2_000;

    private final Map<String, List<SqlShape>> known = new ConcurrentHashMap<>();

    List<SqlShape> of(String sql) {
        List<SqlShape> shapes = known.get(sql);
        if (shapes != null) {
            return shapes;
        }
        List<SqlShape> read = ShapeReader.read(sql);
        if (sql.length() <= ShapeReader.LONGEST_PARSED) {
            if (known.size() >= MOST) {
                known.clear();
            }
            known.put(sql, read);
        }
        return read;
    }
}
