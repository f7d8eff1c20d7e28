package dev.rowlock.jpa;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.jpa.Entities.Account;
import dev.rowlock.jpa.Entities.Product;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.OneToOne;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A declaration that cannot work is told when the application starts. */
class ParentDeclarationsTest {
    @MappedSuperclass
    abstract static class Owned {
        @Id
        long id;

        @ManyToOne
        @RaisesParentVersion
        Account owner;
    }

    @Entity(name = "WithoutVersion")
    static class WithoutVersion extends Owned {}

    @Entity(name = "NoAssociation")
    static class NoAssociation {
        @Id
        long id;

        @RaisesParentVersion
        long productId;
    }

    @Entity(name = "Label")
    static class Label {
        @Id
        long id;

        @OneToOne(mappedBy = "label")
        @RaisesParentVersion
        Labelled labelled;
    }

    @Entity(name = "Labelled")
    static class Labelled {
        @Id
        long id;

        @OneToOne
        Label label;
    }

    @Embeddable
    static class Place {
        @ManyToOne
        @RaisesParentVersion
        Product product;
    }

    @Entity(name = "Placed")
    static class Placed {
        @Id
        long id;

        @Embedded
        Place place;
    }

    @Entity(name = "InTheId")
    static class InTheId {
        @Id
        @ManyToOne
        @RaisesParentVersion
        Product product;
    }

    private static void refused(String attribute, String problem, Class<?>... entities) {
        assertThatThrownBy(() -> JpaDatabase.factory(
                                JpaDatabase.dataSource(), Map.of("hibernate.loaded_classes", List.of(entities)))
                        .close())
                .hasStackTraceContaining("MappingException: @RaisesParentVersion on "
                        + ParentDeclarationsTest.class.getName() + "$" + attribute + " cannot work: it " + problem);
    }

    @Test
    void parentWithoutAVersion() {
        refused("Owned.owner", "leads to " + Account.class.getName(), WithoutVersion.class, Account.class);
    }

    @Test
    void attributeThatIsNoAssociation() {
        refused("NoAssociation.productId", "is no association to one entity", NoAssociation.class);
    }

    @Test
    void associationThatTheOtherSideMaps() {
        refused("Label.labelled", "is mapped by the other side", Label.class, Labelled.class);
    }

    @Test
    void associationInsideOfAnEmbeddable() {
        refused("Place.product", "is inside of an embeddable", Placed.class, Product.class);
    }

    @Test
    void associationThatIsTheId() {
        refused("InTheId.product", "is part of the id", InTheId.class, Product.class);
    }
}
