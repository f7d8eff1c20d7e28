package dev.rowlock.tree;

/** The two recursive queries, as the named queries {@code up} and {@code down}. Both end, whatever the rows are like. */
final class Walks {
    private Walks() {}

    /**
     * From a node up to its root: key {@code k}, parent {@code p}, type {@code t}, and {@code n}, which is 1 for the node itself. A node
     * that comes a second time is the last row. Never more than one row beyond the depth limit. The path is of texts, because an array of
     * a type with a length would be of another type in the second part.
     *
     * @param from an SQL expression for the node's key
     */
    static String up(Shape shape, String from, int limit) {
        return """
                up AS (
                  SELECT %1$s AS k, %2$s AS p, %3$s AS t, 1 AS n, ARRAY[%1$s::text] AS path, false AS again
                  FROM %4$s AS x
                  WHERE %1$s = %5$s
                  UNION ALL
                  SELECT %1$s, %2$s, %3$s, up.n + 1, up.path || %1$s::text, %1$s::text = ANY (up.path)
                  FROM up
                  JOIN %4$s AS x ON %1$s = up.p
                  WHERE NOT up.again
                    AND up.n <= %6$d
                )""".formatted(shape.id("x"), shape.parent("x"), shape.type("x"), shape.table(), from, limit);
    }

    /**
     * A node and what is below it, level by level: {@code n} is 1 for the node itself. In a ring the node comes a second time, and the
     * walk ends there. Never more than one level beyond the limit.
     */
    static String down(Shape shape, int limit) {
        return """
                down AS (
                  SELECT %1$s AS k, %2$s AS p, %3$s AS t, 1 AS n, %1$s AS start, false AS again
                  FROM %4$s AS x
                  WHERE %1$s = ?
                  UNION ALL
                  SELECT %1$s, %2$s, %3$s, down.n + 1, down.start, %1$s = down.start
                  FROM down
                  JOIN %4$s AS x ON %2$s = down.k
                  WHERE NOT down.again
                    AND down.n <= %5$d
                )""".formatted(shape.id("x"), shape.parent("x"), shape.type("x"), shape.table(), limit);
    }
}
