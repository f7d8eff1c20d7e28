package dev.rowlock.service;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * The Spring Boot application of the service. It listens on loopback and needs a PostgreSQL named by
 * {@code spring.datasource.url}; the {@code rowlock serve} command provides both and starts it.
 */
@SpringBootApplication
public class ServiceApplication {}
