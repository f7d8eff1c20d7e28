package dev.rowlock.jpa;

import java.beans.Introspector;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.hibernate.MappingException;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.OneToOne;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.ToOne;
import org.hibernate.mapping.Value;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * Which attributes of which entities are declared with {@link RaisesParentVersion}.
 *
 * @param attributes by the name of the child's entity, those of superclasses included
 * @param parents names of the entities that are raised, with their superclasses and subclasses
 */
record ParentDeclarations(Map<String, Set<String>> attributes, Set<String> parents) {
    private static final String EMBEDDED =
            "is inside of an embeddable; it belongs on an attribute of the entity itself";

    /** @throws MappingException if one cannot work */
    static ParentDeclarations of(Metadata metadata) {
        Map<String, Set<String>> attributes = new HashMap<>();
        Set<String> parents = new HashSet<>();
        for (PersistentClass entity : metadata.getEntityBindings()) {
            if (!entity.hasPojoRepresentation()) {
                continue;
            }
            refuseInside(entity.getIdentifier(), "is part of the id, which never changes");
            entity.getPropertyClosure().forEach(property -> refuseInside(property.getValue(), EMBEDDED));
            Set<String> names = new TreeSet<>();
            for (Member declared : declared(entity.getMappedClass())) {
                String name = attribute(declared);
                PersistentClass parent = metadata.getEntityBinding(check(entity, name, declared, metadata));
                names.add(name);
                parents.add(parent.getRootClass().getEntityName());
            }
            if (!names.isEmpty()) {
                attributes.put(entity.getEntityName(), names);
            }
        }
        return new ParentDeclarations(attributes, parents);
    }

    boolean isEmpty() {
        return attributes.isEmpty();
    }

    boolean isChild(EntityPersister entity) {
        return attributes.containsKey(entity.getEntityName());
    }

    /** Whether it may be one: by its root, since an association can be to any class of a hierarchy. */
    boolean isParent(EntityPersister entity) {
        return parents.contains(entity.getRootEntityName());
    }

    /** The parents that this state of a child has. */
    List<Object> parents(EntityPersister child, Object @Nullable [] state) {
        List<Object> found = new ArrayList<>();
        Set<String> declared = attributes.get(child.getEntityName());
        if (declared != null && state != null) {
            String[] names = child.getPropertyNames();
            for (int i = 0; i < names.length; i++) {
                if (declared.contains(names[i]) && state[i] != null) {
                    found.add(state[i]);
                }
            }
        }
        return found;
    }

    /** The name of the parent's entity. */
    private static String check(PersistentClass entity, String name, Member declared, Metadata metadata) {
        Property property = entity.getPropertyClosure().stream()
                .filter(one -> one.getName().equals(name))
                .findFirst()
                .orElseThrow(() -> error(declared, "is no mapped attribute of entity " + entity.getEntityName()));
        if (!(property.getValue() instanceof ToOne association)) {
            throw error(declared, "is no association to one entity; it belongs on a @ManyToOne or @OneToOne");
        }
        if (association instanceof OneToOne other && other.getMappedByProperty() != null) {
            throw error(declared, "is mapped by the other side; it belongs on the side that has the column");
        }
        PersistentClass parent = metadata.getEntityBinding(association.getReferencedEntityName());
        if (parent == null || !parent.isVersioned()) {
            throw error(
                    declared,
                    "leads to " + association.getReferencedEntityName()
                            + ", which has no @Version to raise; add one there or remove the annotation");
        }
        return parent.getEntityName();
    }

    private static void refuseInside(@Nullable Value value, String problem) {
        if (value instanceof Component component) {
            for (Member declared :
                    component.isDynamic() ? List.<Member>of() : declared(component.getComponentClass())) {
                if (component.getProperties().stream()
                        .anyMatch(one -> one.getName().equals(attribute(declared)))) {
                    throw error(declared, problem);
                }
            }
            component.getProperties().forEach(property -> refuseInside(property.getValue(), problem));
        } else if (value instanceof Collection collection) {
            refuseInside(collection.getElement(), problem);
        }
    }

    private static List<Member> declared(Class<?> type) {
        List<Member> found = new ArrayList<>();
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            Stream.<AnnotatedElement>concat(Stream.of(at.getDeclaredFields()), Stream.of(at.getDeclaredMethods()))
                    .filter(element -> element.isAnnotationPresent(RaisesParentVersion.class))
                    .forEach(element -> found.add((Member) element));
        }
        return found;
    }

    private static String attribute(Member declared) {
        String name = declared.getName();
        if (declared instanceof Field) {
            return name;
        }
        boolean isGetter = ((Method) declared).getParameterCount() == 0 && name.startsWith("get");
        if (!isGetter) {
            throw error(declared, "is no getter");
        }
        return Introspector.decapitalize(name.substring("get".length()));
    }

    private static MappingException error(Member declared, String problem) {
        return new MappingException("@RaisesParentVersion on "
                + declared.getDeclaringClass().getName() + "." + declared.getName() + " cannot work: it " + problem);
    }
}
