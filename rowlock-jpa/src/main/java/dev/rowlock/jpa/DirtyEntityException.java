package dev.rowlock.jpa;

import java.util.List;

/**
 * An entity was to be locked that has changes which are not in the database yet. Reading it under the lock would lose them; writing
 * them would overwrite what others have committed since it was read. Fix the program: lock before the first change, or flush first
 * and let the version decide. HTTP: 500.
 */
public final class DirtyEntityException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private final String entity;
    private final transient Object id;
    private final transient List<String> attributes;

    DirtyEntityException(String entity, Object id, List<String> attributes) {
        super(entity + " " + id + " has changes that are not in the database yet, in " + attributes
                + ": they were decided without the lock; lock it before the first change, or flush before the lock");
        this.entity = entity;
        this.id = id;
        this.attributes = List.copyOf(attributes);
    }

    /** The entity's name. */
    public String entity() {
        return entity;
    }

    /** The entity's id. */
    public Object id() {
        return id;
    }

    /** The attributes with changes. */
    public List<String> attributes() {
        return attributes;
    }
}
