/** Meters and observations of what Rowlock does. */
@NullMarked
package dev.rowlock.spring.meters;

import org.jspecify.annotations.NullMarked;
