/** Wallets: charges, and transfers between two of them. */
@NullMarked
package dev.rowlock.service.wallet;

import org.jspecify.annotations.NullMarked;
