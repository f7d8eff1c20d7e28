package dev.rowlock.prover.scenario;

import java.util.Optional;

/**
 * A column whose values differ from run to run by nature, such as the time of its row's creation. Names are those of
 * PostgreSQL's catalogue: what is written without quotes has been folded to small letters, as SQL does.
 *
 * @param schema the table's schema, where the scenario names one
 * @param table the table
 * @param column the column
 * @param position where the name begins
 */
public record ColumnRef(Optional<String> schema, String table, String column, Position position) {}
