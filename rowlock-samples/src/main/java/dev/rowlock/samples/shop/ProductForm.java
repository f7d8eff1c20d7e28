package dev.rowlock.samples.shop;

/** What an admin has edited. */
public record ProductForm(String name, long price, long version) {}
