/** The running service: an HTTP API whose rows stay right under any number of concurrent writers. */
@NullMarked
package dev.rowlock.service;

import org.jspecify.annotations.NullMarked;
