package dev.rowlock.prover.engine;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * One table's saved rows, and how far its first page is filled. Rows are deleted and inserted again behind the dead ones as long
 * as the page has room: then they lie as in a new table, and both the order in which a scan meets them and what SERIALIZABLE locks
 * are the same in every schedule. To make the table new each time would cost more than the schedule.
 */
final class SavedTable {
    /** Of a page of 8192: a page that is nearly full is tidied up, which this must not come near to. */
    private static final long ROOM_BYTES = 4500;
    /** For a few new rows, in each schedule. */
    private static final long SPARE_BYTES = 200;
    /** Each row as restored and twice updated. */
    private static final long VERSIONS = 3;

    private final String name;
    private final long number;
    private final long bytes;
    private final long largest;
    /** Whether it is known what is in the page: not as long as it is as it was found. */
    private boolean known;

    private boolean inPlace = true;
    private long used;

    /**
     * @param name qualified
     * @param number another one for each on the same connection
     * @param bytes what all rows take of the page
     * @param largest what the largest row takes of it
     */
    SavedTable(String name, long number, long bytes, long largest) {
        this.name = name;
        this.number = number;
        this.bytes = bytes;
        this.largest = largest;
    }

    String name() {
        return name;
    }

    /** To be sent once. */
    String preparing(String columns, String copy) {
        return "PREPARE rowlock_deleting_" + number + " AS DELETE FROM ONLY " + name
                + "; PREPARE rowlock_filling_" + number + " AS INSERT INTO " + name + " (" + columns
                + ") OVERRIDING SYSTEM VALUE SELECT " + columns + " FROM " + copy
                + (tells() ? " RETURNING ctid" : "");
    }

    /** Whether filling it tells where the rows lie now. */
    boolean tells() {
        return bytes > 0 && need() <= ROOM_BYTES;
    }

    String deleting() {
        return "; EXECUTE rowlock_deleting_" + number;
    }

    String filling() {
        return "; EXECUTE rowlock_filling_" + number;
    }

    /** Whether a schedule more goes into the first page, the rows as they are restored included. */
    boolean hasRoom() {
        return known && used + need() <= ROOM_BYTES;
    }

    private long need() {
        return VERSIONS * bytes + SPARE_BYTES;
    }

    /** It is about to be filled, behind what is there already. */
    void willBeFilled() {
        if (!tells()) {
            used += need();
        }
    }

    /** All that is there is thrown away. */
    void willBeEmptied() {
        known = true;
        inPlace = true;
        used = 0;
    }

    /**
     * It was filled, and these are the places of its rows. The last one tells how many versions of rows are in the page, which is
     * less than schedules could have left there.
     */
    void isFilled(ResultSet places) throws SQLException {
        String last = "";
        while (places.next()) {
            last = places.getString(1);
        }
        inPlace = last.startsWith("(0,");
        if (inPlace) {
            used = largest * Long.parseLong(last.substring(3, last.length() - 1));
            // Schedules may have left more there than was thought.
            inPlace = used <= ROOM_BYTES;
        }
    }

    /** Whether its rows lie where they should, as far as they tell. */
    boolean isInPlace() {
        return inPlace;
    }
}
