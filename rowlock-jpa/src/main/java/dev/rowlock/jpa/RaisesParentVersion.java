package dev.rowlock.jpa;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a child's {@code @ManyToOne} or {@code @OneToOne}: whoever inserts, changes, moves or removes the child raises the version of the
 * parent, in the same transaction. So two who change different children of one parent, both deciding on all of them, cannot both
 * commit.
 *
 * <pre>{@code
 * @Entity
 * class OrderLine {
 *     @ManyToOne
 *     @RaisesParentVersion
 *     Order order;
 * }
 * }</pre>
 *
 * <p><b>What is raised</b> is the version of the parent, once in a transaction however many children change, and not at all if the
 * parent's own change raises it or it is new. A child that is moved raises both parents. A parent that is a child itself, by this annotation,
 * raises its own parent. A flush without changes raises nothing.
 *
 * <p><b>When:</b> in the flush, before the first child is written and in the order of the parents' keys, so that the parent's row is
 * what writers wait for; after its own update if it has one. The new version can be read from the parent once the flush is done.
 *
 * <p><b>What another writer sees:</b> the version must still be the one that this session has loaded, or the flush fails as with
 * Hibernate's own optimistic locking; {@link JpaVersions#flush} and {@link JpaVersions#translate} say what that means. The parent protects
 * what was read after it: load it first, or with the children by a join fetch. A parent that was not loaded when a child of it is written
 * is an {@link UnguardedParentException}, before any SQL is sent: a version that is read then would say nothing of what was decided
 * before.
 *
 * <p><b>Not seen:</b> SQL and JPQL that change rows by themselves. Raise the version there too, or use {@link JpaVersions#touch}. A
 * stateless session that writes a child is refused with an {@link IllegalStateException}.
 *
 * <p><b>At start-up</b> a declaration that cannot work is a {@link org.hibernate.MappingException} that names class and attribute: the parent
 * has no {@code @Version}, the attribute is no association to one entity, is part of the id or of an embeddable, or is mapped by the
 * other side.
 */
@Documented
@Target({ElementType.FIELD, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface RaisesParentVersion {}
