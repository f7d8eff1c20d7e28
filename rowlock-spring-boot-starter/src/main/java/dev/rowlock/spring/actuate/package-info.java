/** What operators see of Rowlock. */
@NullMarked
package dev.rowlock.spring.actuate;

import org.jspecify.annotations.NullMarked;
