/** The tree of tenants: platforms, resellers and customers. */
@NullMarked
package dev.rowlock.service.tenant;

import org.jspecify.annotations.NullMarked;
