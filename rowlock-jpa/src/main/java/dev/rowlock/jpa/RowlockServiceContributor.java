package dev.rowlock.jpa;

import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.service.spi.ServiceContributor;

/**
 * Found by Hibernate itself: puts a statement inspector of Rowlock's around the one that the settings name, if any, so that what is
 * sent can be looked at.
 */
public final class RowlockServiceContributor implements ServiceContributor {
    private static final String SETTING = "hibernate.session_factory.statement_inspector";

    /** For Hibernate. */
    public RowlockServiceContributor() {}

    @Override
    public void contribute(StandardServiceRegistryBuilder builder) {
        Object given = builder.getSettings().get(SETTING);
        if (!(given instanceof LockInspector)) {
            builder.applySetting(SETTING, LockInspector.around(given));
        }
    }
}
