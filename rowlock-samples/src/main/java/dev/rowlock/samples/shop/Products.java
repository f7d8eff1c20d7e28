package dev.rowlock.samples.shop;

import org.springframework.data.jpa.repository.JpaRepository;

/** The repository of {@link Product}. */
public interface Products extends JpaRepository<Product, Long> {}
