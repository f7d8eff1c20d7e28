/** A small shop on Spring Boot and JPA: its entities, which both forms of it share. See docs/shop.md. */
@NullMarked
package dev.rowlock.samples.shop;

import org.jspecify.annotations.NullMarked;
