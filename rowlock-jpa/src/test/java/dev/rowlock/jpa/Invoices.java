package dev.rowlock.jpa;

import jakarta.persistence.CascadeType;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import jakarta.persistence.Version;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Parents whose versions are raised by their children, and beside them children that say nothing. */
final class Invoices {
    private Invoices() {}

    static final List<Class<?>> ALL = List.of(Invoice.class, InvoiceLine.class, PlainLine.class, Note.class);

    @Entity(name = "Invoice")
    static class Invoice {
        @Id
        long id;

        String name;

        @Version
        long version;

        @OneToMany(mappedBy = "invoice", cascade = CascadeType.ALL, orphanRemoval = true)
        List<InvoiceLine> lines = new ArrayList<>();

        @OneToMany(mappedBy = "invoice")
        List<PlainLine> plainLines = new ArrayList<>();
    }

    @Entity(name = "InvoiceLine")
    static class InvoiceLine {
        @Id
        long id;

        int amount;

        @Version
        long version;

        @ManyToOne(fetch = FetchType.LAZY)
        @RaisesParentVersion
        Invoice invoice;

        InvoiceLine() {}

        InvoiceLine(long id, Invoice invoice, int amount) {
            this.id = id;
            this.invoice = invoice;
            this.amount = amount;
        }
    }

    @Entity(name = "PlainLine")
    static class PlainLine {
        @Id
        long id;

        int amount;

        @ManyToOne(fetch = FetchType.LAZY)
        Invoice invoice;
    }

    /** A child of a child, inserted as soon as it is persisted. */
    @Entity(name = "Note")
    static class Note {
        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        Long id;

        @ElementCollection
        Set<String> tags = new HashSet<>();

        @ManyToOne(fetch = FetchType.LAZY)
        @RaisesParentVersion
        InvoiceLine line;

        Note() {}

        Note(InvoiceLine line) {
            this.line = line;
        }
    }
}
