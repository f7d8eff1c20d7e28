/** Products: stock that is reserved, and data that several people edit. */
@NullMarked
package dev.rowlock.service.product;

import org.jspecify.annotations.NullMarked;
