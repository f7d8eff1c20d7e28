@NullMarked
package dev.rowlock.once;

import org.jspecify.annotations.NullMarked;
