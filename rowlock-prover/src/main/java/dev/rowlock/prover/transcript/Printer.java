package dev.rowlock.prover.transcript;

import java.io.Flushable;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Writes a transcript piece by piece, with line feeds on every platform. */
final class Printer {
    private final Appendable out;

    Printer(Appendable out) {
        this.out = out;
    }

    void print(String text) {
        try {
            out.append(text);
        } catch (IOException e) {
            throw new UncheckedIOException("the transcript cannot be written", e);
        }
    }

    /** Lets a reader see what there is so far. */
    void flush() {
        if (out instanceof Flushable buffered) {
            try {
                buffered.flush();
            } catch (IOException e) {
                throw new UncheckedIOException("the transcript cannot be written", e);
            }
        }
    }

    void print(Answer.Rows rows) {
        ResultTable.write(rows, this::print);
    }
}
