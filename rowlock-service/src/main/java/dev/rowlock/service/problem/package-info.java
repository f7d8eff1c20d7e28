/** Every error answer: problem details as of RFC 9457, with stable types and nothing of the program's inside. */
@NullMarked
package dev.rowlock.service.problem;

import org.jspecify.annotations.NullMarked;
