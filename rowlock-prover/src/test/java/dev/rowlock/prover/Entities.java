package dev.rowlock.prover;

import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import java.util.Map;
import javax.sql.DataSource;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.jpa.HibernatePersistenceConfiguration;

/** Two tables as Hibernate sees them. */
final class Entities {
    static final String PRODUCTS =
            "CREATE TABLE product (id int PRIMARY KEY, stock int NOT NULL, version int NOT NULL)";

    private Entities() {}

    /** Nothing protects it. */
    @Entity(name = "wallet")
    static class Wallet {
        @Id
        int id;

        int balance;

        /** Decides on what was loaded and changes the object; the row follows at the flush. */
        int charge(int amount) {
            if (balance < amount) {
                throw new Wallets.InsufficientFunds(balance);
            }
            balance -= amount;
            return balance;
        }
    }

    /** Its version protects it. */
    @Entity(name = "product")
    static class Product {
        @Id
        int id;

        int stock;

        @Version
        int version;
    }

    /** On tables that are there already. */
    static EntityManagerFactory over(DataSource dataSource, Map<String, ?> settings) {
        return new HibernatePersistenceConfiguration("race")
                .managedClasses(Wallet.class, Product.class)
                .property(AvailableSettings.JAKARTA_NON_JTA_DATASOURCE, dataSource)
                .properties(settings)
                .createEntityManagerFactory();
    }
}
