/** Strict reading of requests: JSON bodies, path ids and entity tags, naming everything that is wrong. */
@NullMarked
package dev.rowlock.service.request;

import org.jspecify.annotations.NullMarked;
