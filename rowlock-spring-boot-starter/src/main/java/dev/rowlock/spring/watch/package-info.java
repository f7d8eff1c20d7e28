/** What goes on in the database: lock waits, and the audit of what the application sends. */
@NullMarked
package dev.rowlock.spring.watch;

import org.jspecify.annotations.NullMarked;
