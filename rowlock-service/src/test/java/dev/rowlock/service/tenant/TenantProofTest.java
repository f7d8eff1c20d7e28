package dev.rowlock.service.tenant;

import static dev.rowlock.service.Twins.assertViolated;

import dev.rowlock.Rowlock;
import dev.rowlock.RowlockSchema;
import dev.rowlock.prover.Race;
import dev.rowlock.prover.RaceDatabase;
import dev.rowlock.prover.engine.Verdict.Anomaly;
import dev.rowlock.prover.junit.RaceExtension;
import dev.rowlock.service.Twins;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Moves of tenants by the service's own code, on its own schema, in every order, beside a broken twin. */
@ExtendWith(RaceExtension.class)
class TenantProofTest {
    private RaceDatabase database;
    private TenantService tenants;
    private Twins twins;

    @BeforeEach
    void open(RaceDatabase given) {
        database = given;
        Flyway.configure().dataSource(given.dataSource()).load().migrate();
        // Each statement by itself, so that the other actor can come in between.
        Rowlock rowlock = Rowlock.builder(given.dataSource()).pipelining(false).build();
        RowlockSchema.install(rowlock);
        tenants = new TenantService(rowlock);
        twins = new Twins(given.dataSource());
    }

    /** Two resellers side by side under one platform. */
    private Race race() {
        return Race.on(database).given("""
                        INSERT INTO tenant (name, type, parent_id)
                        VALUES ('top', 'platform', NULL), ('a', 'reseller', 1), ('b', 'reseller', 1)""").invariant("no ring", """
                        WITH RECURSIVE down AS (
                            SELECT id FROM tenant WHERE parent_id IS NULL
                            UNION
                            SELECT t.id FROM tenant AS t JOIN down AS d ON t.parent_id = d.id
                        )
                        SELECT (SELECT count(*) FROM down) = (SELECT count(*) FROM tenant)""");
    }

    @Test
    void movesThatWouldMakeARing() {
        race().actor("A", () -> tenants.move(2, 3).depth())
                .actor("B", () -> tenants.move(3, 2).depth())
                .prove();
    }

    @Test
    void removalOfATenantThatAnotherOneIsPutUnder() {
        race().actor("A", () -> {
                    tenants.remove(2);
                    return "gone";
                })
                .actor("B", () -> tenants.move(3, 2).depth())
                .prove();
    }

    /** Looks whether the new parent stands below, and then moves. */
    private int moveAfterALook(long tenant, long newParent) {
        return twins.inTransaction(jdbc -> {
            boolean below = jdbc.sql("SELECT EXISTS (SELECT FROM tenant WHERE id = ? AND parent_id = ?)")
                    .params(newParent, tenant)
                    .query(Boolean.class)
                    .single();
            return below
                    ? 0
                    : jdbc.sql("UPDATE tenant SET parent_id = ? WHERE id = ?")
                            .params(newParent, tenant)
                            .update();
        });
    }

    @Test
    void movesThatLookFirst() {
        assertViolated(
                race().actor("A", () -> moveAfterALook(2, 3)).actor("B", () -> moveAfterALook(3, 2)),
                Anomaly.WRITE_SKEW);
    }
}
