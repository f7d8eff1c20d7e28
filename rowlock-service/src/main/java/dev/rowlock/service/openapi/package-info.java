/** The description at {@code /v3/api-docs}. */
@NullMarked
package dev.rowlock.service.openapi;

import org.jspecify.annotations.NullMarked;
