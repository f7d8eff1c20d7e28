package dev.rowlock.counter;

import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * A column that a counter changes, and what it must stay within.
 *
 * @param factor what a change of the counter by one changes here
 * @param minColumn the column of the same row that holds a lower bound, NULL for none; or null if there is no such column
 */
record Column(
        String name,
        long factor,
        long min,
        long max,
        @Nullable String minColumn,
        @Nullable String maxColumn) {

    boolean hasBound() {
        return min != Long.MIN_VALUE || max != Long.MAX_VALUE || minColumn != null || maxColumn != null;
    }

    /** The same, within what the column's type can hold. */
    Column within(long typeMin, long typeMax) {
        return withMin(Math.max(min, typeMin)).withMax(Math.min(max, typeMax));
    }

    Column withMin(long least) {
        return new Column(name, factor, least, max, minColumn, maxColumn);
    }

    Column withMax(long most) {
        return new Column(name, factor, min, most, minColumn, maxColumn);
    }

    List<String> boundColumns() {
        List<String> columns = new ArrayList<>();
        if (minColumn != null) {
            columns.add(minColumn);
        }
        if (maxColumn != null) {
            columns.add(maxColumn);
        }
        return columns;
    }

    /** A condition and its values. */
    record Guard(String sql, List<Long> values) {}

    /**
     * That every one of several changes, made one after another, stays within the bounds. Nothing in it can overflow: the constant
     * bounds are moved here, the columns are compared as {@code numeric}.
     *
     * @param lowest the least that the sum of the changes becomes on the way
     * @param highest the most
     * @return null if it cannot hold for any amount, or cannot be said
     */
    @Nullable
    Guard guard(long lowest, long highest) {
        long down = Math.multiplyExact(factor, factor > 0 ? lowest : highest);
        long up = Math.multiplyExact(factor, factor > 0 ? highest : lowest);
        if ((down < 0 && min > Long.MAX_VALUE + down) || (up > 0 && max < Long.MIN_VALUE + up)) {
            return null;
        }
        StringJoiner sql = new StringJoiner(" AND ");
        List<Long> values = new ArrayList<>();
        String quoted = Sql.quote(name);
        sql.add(quoted + " BETWEEN ? AND ?");
        values.add(down > 0 && min < Long.MIN_VALUE + down ? Long.MIN_VALUE : min - down);
        values.add(up < 0 && max > Long.MAX_VALUE + up ? Long.MAX_VALUE : max - up);
        if (minColumn != null) {
            sql.add("(" + quoted + "::numeric + ? >= " + Sql.quote(minColumn) + ") IS NOT FALSE");
            values.add(down);
        }
        if (maxColumn != null) {
            sql.add("(" + quoted + "::numeric + ? <= " + Sql.quote(maxColumn) + ") IS NOT FALSE");
            values.add(up);
        }
        return new Guard(sql.toString(), values);
    }
}
