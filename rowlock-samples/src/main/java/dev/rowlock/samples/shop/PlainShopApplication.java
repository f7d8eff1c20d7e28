package dev.rowlock.samples.shop;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.resilience.annotation.EnableResilientMethods;

/** The shop without Rowlock. */
@SpringBootApplication(scanBasePackages = "dev.rowlock.samples.shop.plain")
@EnableResilientMethods
public class PlainShopApplication {
    public static void main(String[] args) {
        SpringApplication.run(PlainShopApplication.class, args);
    }
}
