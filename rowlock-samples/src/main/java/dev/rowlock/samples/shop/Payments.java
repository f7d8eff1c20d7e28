package dev.rowlock.samples.shop;

import org.springframework.data.jpa.repository.JpaRepository;

/** The repository of {@link Payment}. */
public interface Payments extends JpaRepository<Payment, Long> {
    boolean existsByReference(String reference);
}
