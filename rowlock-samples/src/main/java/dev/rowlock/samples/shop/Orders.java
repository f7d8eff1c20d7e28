package dev.rowlock.samples.shop;

import org.springframework.data.jpa.repository.JpaRepository;

/** The repository of {@link Order}. */
public interface Orders extends JpaRepository<Order, Long> {}
