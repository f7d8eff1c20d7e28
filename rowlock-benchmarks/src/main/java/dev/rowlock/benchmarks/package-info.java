/** Rowlock measured side by side with what people would use instead. */
@NullMarked
package dev.rowlock.benchmarks;

import org.jspecify.annotations.NullMarked;
