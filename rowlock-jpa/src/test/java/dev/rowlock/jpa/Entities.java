package dev.rowlock.jpa;

import jakarta.persistence.CascadeType;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import jakarta.persistence.SecondaryTable;
import jakarta.persistence.Version;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.annotations.BatchSize;
import org.hibernate.annotations.NaturalId;

/** One entity for each kind of mapping that a lock has been lost with. */
final class Entities {
    private Entities() {}

    static final List<Class<?>> ALL = List.of(
            Account.class,
            Product.class,
            Payment.class,
            CardPayment.class,
            Vehicle.class,
            Car.class,
            Truck.class,
            Line.class,
            Seat.class,
            Customer.class,
            Basket.class,
            Batched.class,
            Shipment.class,
            Parent.class,
            Child.class,
            Invoices.Invoice.class,
            Invoices.InvoiceLine.class,
            Invoices.PlainLine.class,
            Invoices.Note.class);

    /** Nothing but a lock protects it. */
    @Entity(name = "Account")
    static class Account {
        @Id
        long id;

        int balance;

        String status = "open";

        int withdraw(int amount) {
            if (balance < amount) {
                throw new IllegalArgumentException("not enough: " + balance);
            }
            balance -= amount;
            return balance;
        }
    }

    @Entity(name = "Product")
    static class Product {
        @Id
        long id;

        int stock;

        @NaturalId
        String code;

        @Version
        long version;
    }

    /** Its rows are in two tables, and an update of the amount touches the second one only. */
    @Entity(name = "Payment")
    @Inheritance(strategy = InheritanceType.JOINED)
    static class Payment {
        @Id
        long id;

        String state = "new";
    }

    @Entity(name = "CardPayment")
    static class CardPayment extends Payment {
        int amount;
    }

    @Entity(name = "Vehicle")
    @Inheritance(strategy = InheritanceType.TABLE_PER_CLASS)
    abstract static class Vehicle {
        @Id
        long id;

        int mileage;
    }

    @Entity(name = "Car")
    static class Car extends Vehicle {}

    @Entity(name = "Truck")
    static class Truck extends Vehicle {}

    @Embeddable
    record LineId(
            @Column(name = "order_id") long orderId,
            @Column(name = "line_no") int lineNo) implements Serializable {}

    @Entity(name = "Line")
    static class Line {
        @EmbeddedId
        LineId id;

        int amount;
    }

    static class SeatId implements Serializable {
        private static final long serialVersionUID = 1L;

        String flight;
        int number;

        SeatId() {}

        SeatId(String flight, int number) {
            this.flight = flight;
            this.number = number;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof SeatId seat && seat.flight.equals(flight) && seat.number == number;
        }

        @Override
        public int hashCode() {
            return flight.hashCode() + number;
        }

        @Override
        public String toString() {
            return flight + "/" + number;
        }
    }

    @Entity(name = "Seat")
    @IdClass(SeatId.class)
    static class Seat {
        @Id
        String flight;

        @Id
        int number;

        String passenger;
    }

    /** The points are in a table of their own, which nothing but the points touches. */
    @Entity(name = "Customer")
    @SecondaryTable(name = "customer_points")
    static class Customer {
        @Id
        long id;

        String name;

        @Column(table = "customer_points")
        int points;
    }

    @Entity(name = "Basket")
    static class Basket {
        @Id
        long id;

        @ElementCollection
        List<String> items = new ArrayList<>();
    }

    @Entity(name = "Batched")
    @BatchSize(size = 10)
    static class Batched {
        @Id
        long id;

        int amount;
    }

    /** Loaded with an outer join. */
    @Entity(name = "Shipment")
    static class Shipment {
        @Id
        long id;

        String state = "packed";

        @ManyToOne(fetch = FetchType.EAGER)
        Account payer;

        @ManyToOne(fetch = FetchType.LAZY)
        Batched batched;
    }

    @Entity(name = "Parent")
    static class Parent {
        @Id
        long id;

        String name;

        @Version
        long version;

        @OneToMany(mappedBy = "parent", cascade = CascadeType.ALL)
        List<Child> children = new ArrayList<>();
    }

    @Entity(name = "Child")
    static class Child {
        @Id
        long id;

        String name;

        @ManyToOne(fetch = FetchType.LAZY)
        Parent parent;
    }
}
