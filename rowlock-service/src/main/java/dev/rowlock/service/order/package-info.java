/** Orders: stock, payment, audit and the job that confirms them, in one transaction. */
@NullMarked
package dev.rowlock.service.order;

import org.jspecify.annotations.NullMarked;
