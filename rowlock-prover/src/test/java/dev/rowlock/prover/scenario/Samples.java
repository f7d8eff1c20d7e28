package dev.rowlock.prover.scenario;

import java.util.List;

/** Scenarios that use everything the format has. */
final class Samples {
    static final String FILE = "sample.race";

    static final String WALLET = """
            setup { CREATE TABLE wallet (id int PRIMARY KEY, balance int NOT NULL); }
            setup { INSERT INTO wallet VALUES (1, 100); }
            teardown { DROP TABLE wallet; }

            session a
            step read   into balance            { SELECT balance FROM wallet WHERE id = 1; }
            step charge when { :balance >= 80 } { UPDATE wallet SET balance = :balance - 80 WHERE id = 1; }
            step claim  expect 1 row            { UPDATE coupon SET used = true WHERE id = 5 AND NOT used; }
            session b transaction isolation serializable retry 3   # one transaction
            step "b's step" { SELECT ':quoted', "x""y", $$ :dollar $$, '1'::int; }

            invariant "never below zero" { SELECT min(balance) >= 0 FROM wallet; }
            ignore job.created_at, ticket.id                      # differ from run to run
            observe data
            """;

    static final String BLOCKERS = """
            -- comments of both kinds
            session s1 isolation "repeatable read" setup { SELECT 1; } step a { LOCK TABLE t; } step b { COMMIT; }
            session s2 retry 100 step c { RAISE; } step "d ""d\""" expect 0 rows into x, "y" { SELECT 1; } teardown { }
            permutation a c(*) b
            permutation a c(a, b notices 2, *) "d ""d\""" (b) b
            permutation b
            ignore "Q"."T".C
            """;

    static final List<String> ALL = List.of(WALLET, BLOCKERS);

    private Samples() {}

    static Scenario parse(String text) {
        return Scenarios.parse(FILE, text);
    }
}
