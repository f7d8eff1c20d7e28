package dev.rowlock.service.product;

import dev.rowlock.Row;

/**
 * A product as it is answered.
 *
 * @param id its id
 * @param name what people call it
 * @param price in minor units
 * @param stock how many there are
 * @param version raised with every change, reservations included
 */
record Product(long id, String name, long price, long stock, long version) {
    static Product of(Row row) {
        return new Product(
                row.getLong("id"), row.getString("name"), row.getLong("price"), row.getLong("stock"), row.version());
    }
}
