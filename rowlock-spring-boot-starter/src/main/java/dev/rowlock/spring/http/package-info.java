/** What errors and versions are over HTTP: problem details, ETag and If-Match. */
@NullMarked
package dev.rowlock.spring.http;

import org.jspecify.annotations.NullMarked;
