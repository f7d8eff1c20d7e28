package dev.rowlock.service.product;

import dev.rowlock.Row;
import dev.rowlock.Rowlock;
import dev.rowlock.Table;
import dev.rowlock.Update;
import dev.rowlock.Write;
import dev.rowlock.service.problem.ProblemException;
import dev.rowlock.service.problem.ProblemType;
import dev.rowlock.spring.http.EntityTags;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Reading, making and editing products. An edit applies to the version that the editor had seen, or not at all. */
@Service
final class ProductService {
    static final Table PRODUCTS = Table.of("product", "id").withVersion("version");

    private final Rowlock rowlock;

    ProductService(Rowlock rowlock) {
        this.rowlock = rowlock;
    }

    Product create(ProductData data) {
        return Product.of(rowlock.call(tx -> tx.insert(PRODUCTS)
                .set("name", data.name())
                .set("price", data.price())
                .set("stock", data.stock())
                .apply()));
    }

    Product get(long id) {
        return rowlock.readOnly()
                .call(tx -> tx.peek(PRODUCTS, id))
                .map(Product::of)
                .orElseThrow(() -> missing(id));
    }

    /** Replaces all data, if the product has one of the versions that the tags name. */
    Product replace(long id, EntityTags tags, ProductData data) {
        if (tags.versions().isEmpty()) {
            throw preconditionFailed(get(id), tags);
        }
        Write write = rowlock.call(tx -> {
            long version = tags.versions().size() == 1
                    ? tags.versions().get(0)
                    : tx.lockIfPresent(PRODUCTS, id)
                            .map(Row::version)
                            .filter(tags::match)
                            .orElse(tags.versions().get(0));
            return all(tx.update(PRODUCTS, id), data).ifVersion(version).apply();
        });
        if (write instanceof Write.Stale stale) {
            throw preconditionFailed(Product.of(stale.current()), tags);
        }
        return applied(write, id);
    }

    /** Changes what the patch names, if the product has the version that the patch names, and the tags as well if there are any. */
    Product change(long id, @Nullable EntityTags tags, ProductPatch patch) {
        if (patch.changesNothing()) {
            throw ProblemException.invalid("body", "changes nothing; give name, price or stock besides the version");
        }
        if (tags != null && !tags.match(patch.version())) {
            throw stale(get(id), tags, patch);
        }
        Write write = rowlock.call(tx ->
                some(tx.update(PRODUCTS, id), patch).ifVersion(patch.version()).apply());
        if (write instanceof Write.Stale stale) {
            throw stale(Product.of(stale.current()), tags, patch);
        }
        return applied(write, id);
    }

    private static Update all(Update update, ProductData data) {
        return update.set("name", data.name()).set("price", data.price()).set("stock", data.stock());
    }

    private static Update some(Update update, ProductPatch patch) {
        if (patch.name() != null) {
            update.set("name", patch.name());
        }
        if (patch.price() != null) {
            update.set("price", patch.price());
        }
        if (patch.stock() != null) {
            update.set("stock", patch.stock());
        }
        return update;
    }

    private static Product applied(Write write, long id) {
        if (write instanceof Write.Missing) {
            throw missing(id);
        }
        return Product.of(write.orThrow());
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
