/** The shop as it is often written: four races, each of them found by the tests. */
@NullMarked
package dev.rowlock.samples.shop.plain;

import org.jspecify.annotations.NullMarked;
