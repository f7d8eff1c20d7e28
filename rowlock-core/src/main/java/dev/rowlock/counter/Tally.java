package dev.rowlock.counter;

import dev.rowlock.Key;
import dev.rowlock.Row;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One row's amounts while requests are decided on it one after another. */
final class Tally {
    private final Rules rules;
    private final Key key;
    private final long[] amounts;
    private final long[] lower;
    private final long[] upper;
    private final boolean conditionsHold;
    private final long[] before;

    /**
     * @throws IllegalStateException if an amount is NULL
     */
    Tally(Rules rules, Key key, Row row, boolean conditionsHold) {
        List<Column> columns = rules.columns();
        this.rules = rules;
        this.key = key;
        this.conditionsHold = conditionsHold;
        this.amounts = new long[columns.size()];
        this.lower = new long[columns.size()];
        this.upper = new long[columns.size()];
        for (int i = 0; i < amounts.length; i++) {
            Column column = columns.get(i);
            amounts[i] = row.getLong(column.name());
            lower[i] = Math.max(column.min(), bound(row, column.minColumn(), Long.MIN_VALUE));
            upper[i] = Math.min(column.max(), bound(row, column.maxColumn(), Long.MAX_VALUE));
        }
        this.before = amounts.clone();
    }

    /** The row as it was before a change that is known to have been made. */
    static Tally before(Rules rules, Key key, Row after, long delta) {
        Tally tally = new Tally(rules, key, after, true);
        tally.add(-delta);
        return tally;
    }

    private static long bound(Row row, @Nullable String column, long none) {
        return column == null || row.isNull(column) ? none : row.getLong(column);
    }

    /** The amount in this column of the counter. */
    long amount(int column) {
        return amounts[column];
    }

    /** Whether the row must be written: changes can cancel each other out. */
    boolean isChanged() {
        return !Arrays.equals(amounts, before);
    }

    /** Why the change cannot be made now, or null if it can. */
    Change.@Nullable Refused refusal(long delta) {
        if (!conditionsHold) {
            return refused(delta, "it does not fulfil " + rules.conditionSql());
        }
        for (int i = 0; i < amounts.length; i++) {
            Column column = rules.columns().get(i);
            long step = column.factor() * delta;
            long next = amounts[i] + step;
            boolean overflow = ((amounts[i] ^ next) & (step ^ next)) < 0;
            String would = column.name() + " is " + amounts[i] + " and would be "
                    + (overflow ? "too large a number" : String.valueOf(next));
            if (overflow ? step < 0 : next < lower[i]) {
                return refused(delta, would + ", less than " + lower[i]);
            }
            if (overflow || next > upper[i]) {
                return refused(delta, would + ", more than " + upper[i]);
            }
        }
        return null;
    }

    private Change.Refused refused(long delta, String reason) {
        return new Change.Refused(rules.table(), key, delta, amounts[0], snapshot(), reason);
    }

    /** Makes a change that is not refused. */
    Change.Applied apply(long delta) {
        add(delta);
        return new Change.Applied(key, amounts[0], snapshot());
    }

    private void add(long delta) {
        for (int i = 0; i < amounts.length; i++) {
            amounts[i] += rules.columns().get(i).factor() * delta;
        }
    }

    private Map<String, Long> snapshot() {
        if (amounts.length == 1) {
            return Map.of(rules.first().name(), amounts[0]);
        }
        Map<String, Long> all = new LinkedHashMap<>();
        for (int i = 0; i < amounts.length; i++) {
            all.put(rules.columns().get(i).name(), amounts[i]);
        }
        return Collections.unmodifiableMap(all);
    }
}
