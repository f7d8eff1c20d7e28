/** An adjacency list that stays a tree, whoever else adds, moves and removes. Start at Tree. */
@NullMarked
package dev.rowlock.tree;

import org.jspecify.annotations.NullMarked;
