package dev.rowlock.samples.shop.safe;

import dev.rowlock.spring.http.EntityTags;
import dev.rowlock.spring.idempotency.Idempotent;
import java.util.Map;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** The shop over HTTP. */
@RestController
class ShopController {
    private final Shop shop;

    ShopController(Shop shop) {
        this.shop = shop;
    }

    /** Who buys. */
    record Purchase(long account) {}

    /** What a product is to become. */
    record Edit(String name, long price) {}

    /** A charge. */
    record Charge(long account, long amount, String reference) {}

    /** Money from one account to another. */
    record Transfer(long from, long to, long amount) {}

    @PostMapping("/products/{id}/orders")
    Map<String, Object> buy(@PathVariable("id") long id, @RequestBody Purchase purchase) {
        return Map.of("stock", shop.buy(id, purchase.account()));
    }

    // guide edit: begin
    @PutMapping("/products/{id}")
    ResponseEntity<Void> edit(@PathVariable("id") long id, EntityTags ifMatch, @RequestBody Edit edit) {
        long version = shop.edit(id, ifMatch.version(), edit.name(), edit.price());
        return ResponseEntity.noContent().eTag(EntityTags.tag(version)).build();
    }
    // guide edit: end

    // guide pay: begin
    @Idempotent
    @PostMapping("/payments")
    Map<String, Object> pay(@RequestBody Charge charge) {
        return Map.of("balance", shop.pay(charge.account(), charge.amount(), charge.reference()));
    }
    // guide pay: end

    @PostMapping("/transfers")
    Map<String, Object> transfer(@RequestBody Transfer transfer) {
        return Map.of("balance", shop.transfer(transfer.from(), transfer.to(), transfer.amount()));
    }

    @PostMapping("/refunds")
    Map<String, Object> refund(@RequestBody Transfer transfer) {
        return Map.of("balance", shop.refund(transfer.from(), transfer.to(), transfer.amount()));
    }
}
