/** Amounts that must stay within bounds: stock, balances, quotas, seats. Start at Counter. */
@NullMarked
package dev.rowlock.counter;

import org.jspecify.annotations.NullMarked;
