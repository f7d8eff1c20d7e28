/** Whether the measuring itself is right. */
package dev.rowlock.benchmarks;
