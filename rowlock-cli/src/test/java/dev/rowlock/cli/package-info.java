/** The program as its users meet it: most tests here run the real jar as a process. */
package dev.rowlock.cli;
