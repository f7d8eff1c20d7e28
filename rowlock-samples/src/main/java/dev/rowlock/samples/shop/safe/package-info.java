/** The shop with the starter and {@code rowlock-jpa}: the same four, each of them proved by the tests. */
@NullMarked
package dev.rowlock.samples.shop.safe;

import org.jspecify.annotations.NullMarked;
