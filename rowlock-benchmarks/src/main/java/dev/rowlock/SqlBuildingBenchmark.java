package dev.rowlock;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** From the call of {@link Update} to the statement and its values, beside a constant text with a list of values. */
@State(Scope.Thread)
public class SqlBuildingBenchmark {
    private static final Table ITEMS = Table.of("item", "id").withVersion("version");

    private static final String STATEMENT = "UPDATE \"item\" SET \"stock\" = \"stock\" + ?, \"name\" = ?,"
            + " \"version\" = \"version\" + 1 WHERE \"id\" = ? AND \"version\" = ? AND (stock >= ?) RETURNING *"
            + RowReader.SELECT_XID;

    private static final String NAME = "bolt";

    // Not constants: what is known beforehand could be computed beforehand.
    private long id = 4711;
    private int amount = 2;
    private long version = 7;

    /** What the driver is given. */
    private record Sent(String sql, List<@Nullable Object> values) {}

    /** Stands where the connection would be: it has the statement built, and sends nothing. */
    private static final class Builds implements Update.Sender {
        private @Nullable SqlRequest request;

        @Override
        public void check() {}

        @Override
        public Write send(GuardedUpdate update) {
            request = update.updateRequest(null);
            return new Write.Missing(update.table(), update.key());
        }
    }

    /** Requires that both ways come to the same statement and the same values. */
    @Setup(Level.Trial)
    public void check() {
        SqlRequest ours = build();
        Sent theirs = sent();
        if (!theirs.equals(new Sent(ours.sql(), ours.parameters()))) {
            throw new IllegalStateException(
                    "Update built " + ours.sql() + " with " + ours.parameters() + ", by hand it is " + theirs);
        }
    }

    /** As Rowlock does it, from the first call to what is handed to the driver. */
    @Benchmark
    public Object rowlock() {
        return build();
    }

    /** The text is there before, only its values differ from call to call. */
    @Benchmark
    public Object byHand() {
        return sent();
    }

    private SqlRequest build() {
        Builds sender = new Builds();
        Write answer = new Update(sender, ITEMS, ITEMS.keyOf(id))
                .add("stock", -amount)
                .set("name", NAME)
                .onlyIf("stock >= ?", amount)
                .ifVersion(version)
                .apply();
        SqlRequest built = sender.request;
        if (built == null) {
            throw new IllegalStateException("nothing was sent; the answer is " + answer);
        }
        return built;
    }

    private Sent sent() {
        List<@Nullable Object> values = new ArrayList<>();
        values.add(-amount);
        values.add(NAME);
        values.add(id);
        values.add(version);
        values.add(amount);
        return new Sent(STATEMENT, values);
    }
}
