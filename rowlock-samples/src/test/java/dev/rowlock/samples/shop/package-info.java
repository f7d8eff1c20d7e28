@org.jspecify.annotations.NullMarked
package dev.rowlock.samples.shop;
