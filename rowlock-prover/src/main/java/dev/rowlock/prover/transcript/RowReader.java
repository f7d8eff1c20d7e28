package dev.rowlock.prover.transcript;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects the rows of a statement as they come. */
final class RowReader {
    private final List<String> columns = new ArrayList<>();
    private final List<List<@Nullable String>> rows = new ArrayList<>();

    RowReader(Message description) {
        int count = description.int16();
        for (int i = 0; i < count; i++) {
            columns.add(description.string());
            // Table, column, type, its size, its modifier and the format, which is always text.
            description.bytes(4 + 2 + 4 + 2 + 4 + 2);
        }
    }

    void add(Message row) {
        List<@Nullable String> cells = new ArrayList<>();
        int count = row.int16();
        for (int i = 0; i < count; i++) {
            int length = row.int32();
            cells.add(length < 0 ? null : row.text(length));
        }
        rows.add(cells);
    }

    Answer answer() {
        return new Answer.Rows(columns, rows);
    }
}
