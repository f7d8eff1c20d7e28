/** The lock audit in JUnit tests. */
@NullMarked
package dev.rowlock.watch.junit;

import org.jspecify.annotations.NullMarked;
