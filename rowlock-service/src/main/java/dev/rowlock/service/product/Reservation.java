package dev.rowlock.service.product;

import java.time.Instant;

/**
 * A reservation that was made.
 *
 * @param id its id
 * @param productId of what
 * @param quantity how many
 * @param stock how many the product has left
 * @param createdAt when, by the database's clock
 */
record Reservation(long id, long productId, long quantity, long stock, Instant createdAt) {}
