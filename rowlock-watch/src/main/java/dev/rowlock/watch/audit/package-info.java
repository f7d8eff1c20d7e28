/** Finds in a trace what goes wrong between writers, whether it has gone wrong yet or not. */
@NullMarked
package dev.rowlock.watch.audit;

import org.jspecify.annotations.NullMarked;
