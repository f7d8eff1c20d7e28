package dev.rowlock.jpa;

/**
 * A child was to be written whose parent's version it raises, and that parent was not loaded in the session: no version is known
 * that what was decided could be held against. Nothing of the child was sent. Fix the program: load the parent before what is decided on,
 * or with it by a join fetch, or lock it with {@link JpaLocks}. HTTP: 500.
 *
 * @see RaisesParentVersion
 */
public final class UnguardedParentException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    UnguardedParentException(String child, String parent) {
        super(child + " raises the version of " + parent
                + ", which was not loaded in this session, so there is no version"
                + " to hold the change against; load or lock the parent before the first child is read, or fetch it with the"
                + " children (JOIN FETCH)");
    }
}
