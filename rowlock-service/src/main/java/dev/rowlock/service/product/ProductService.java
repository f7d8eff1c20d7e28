package dev.rowlock.service.product;

import dev.rowlock.MissingRowException;
import dev.rowlock.Rowlock;
import dev.rowlock.StaleRowException;
import dev.rowlock.jpa.JpaUnits;
import dev.rowlock.jpa.JpaVersions;
import dev.rowlock.service.problem.ProblemException;
import dev.rowlock.service.problem.ProblemType;
import dev.rowlock.spring.http.EntityTags;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Reading, making and editing products. An edit applies to the version that the editor had seen, or not at all. */
@Service
final class ProductService {
    private final JpaUnits units;
    private final JpaUnits reads;

    ProductService(Rowlock rowlock, EntityManagerFactory factory) {
        this.units = JpaUnits.over(rowlock, factory);
        this.reads = JpaUnits.over(rowlock.readOnly(), factory);
    }

    Product create(ProductData data) {
        return units.call((tx, em) -> {
            StoredProduct product = new StoredProduct(data);
            em.persist(product);
            return product.toProduct();
        });
    }

    Product get(long id) {
        return reads.call((tx, em) ->
                        Optional.ofNullable(em.find(StoredProduct.class, id)).map(StoredProduct::toProduct))
                .orElseThrow(() -> missing(id));
    }

    /** Replaces all data, if the product has one of the versions that the tags name. */
    Product replace(long id, EntityTags tags, ProductData data) {
        if (tags.versions().isEmpty()) {
            throw preconditionFailed(get(id), tags);
        }
        try {
            return units.call((tx, em) ->
                    write(em, ofOneOf(tags, em, id), product -> product.edit(data.name(), data.price(), data.stock())));
        } catch (StaleRowException e) {
            throw preconditionFailed(Product.of(e.current()), tags);
        } catch (MissingRowException e) {
            throw missing(id);
        }
    }

    /** Where there is a choice of versions the row is locked to compare them; one is compared by the statement that writes. */
    private static StoredProduct ofOneOf(EntityTags tags, EntityManager em, long id) {
        if (tags.versions().size() == 1) {
            return JpaVersions.over(em)
                    .ifVersion(StoredProduct.class, id, tags.versions().get(0));
        }
        StoredProduct product = Stock.locks(em).lock(StoredProduct.class, id);
        if (!tags.match(product.version())) {
            throw preconditionFailed(product.toProduct(), tags);
        }
        return product;
    }

    /** Changes what the patch names, if the product has the version that the patch names, and the tags as well if there are any. */
    Product change(long id, @Nullable EntityTags tags, ProductPatch patch) {
        if (patch.changesNothing()) {
            throw ProblemException.invalid("body", "changes nothing; give name, price or stock besides the version");
        }
        if (tags != null && !tags.match(patch.version())) {
            throw stale(get(id), tags, patch);
        }
        try {
            return units.call((tx, em) -> write(
                    em, JpaVersions.over(em).ifVersion(StoredProduct.class, id, patch.version()), patch::applyTo));
        } catch (StaleRowException e) {
            throw stale(Product.of(e.current()), tags, patch);
        } catch (MissingRowException e) {
            throw missing(id);
        }
    }

    /**
     * Sends the edit here, where a writer who was faster is told with the row as he left it. Hibernate would send nothing if the data
     * are what they were; an edit raises the version all the same, so that two editors of one version never both succeed.
     */
    private static Product write(EntityManager em, StoredProduct product, Predicate<StoredProduct> edit) {
        JpaVersions versions = JpaVersions.over(em);
        if (edit.test(product)) {
            versions.flush();
        } else {
            versions.touch(product);
        }
        return product.toProduct();
    }

    private static ProblemException stale(Product current, @Nullable EntityTags tags, ProductPatch patch) {
        return tags == null || tags.match(current.version())
                ? outdated(ProblemType.STALE, current, patch.version())
                : preconditionFailed(current, tags);
    }

    static ProblemException preconditionFailed(Product current, EntityTags tags) {
        return outdated(ProblemType.PRECONDITION_FAILED, current, expected(tags));
    }

    /** The version that the client had read, or the header where it does not name exactly one. */
    private static Object expected(EntityTags tags) {
        boolean one = tags.tags().size() == 1
                && tags.versions().size() == 1
                && tags.header().strip().equals(tags.tags().get(0));
        return one ? tags.versions().get(0) : tags.header().strip();
    }

    private static ProblemException outdated(ProblemType type, Product current, Object expectedVersion) {
        return new ProblemException(
                        type,
                        "Product " + current.id() + " has version " + current.version()
                                + ", which is not the one the change was made to.")
                .with("current", current)
                .with("currentVersion", current.version())
                .with("expectedVersion", expectedVersion);
    }

    static ProblemException missing(long id) {
        return new ProblemException(ProblemType.PRODUCT_NOT_FOUND, "There is no product " + id + ".")
                .with("product", id);
    }
}
