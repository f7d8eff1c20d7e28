/** Row locks and versions for JPA entities. */
@NullMarked
package dev.rowlock.jpa;

import org.jspecify.annotations.NullMarked;
