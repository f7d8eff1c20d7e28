package dev.rowlock.prover.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Steps that wait or are shown so. What is expected was printed by the tester of PostgreSQL 15. */
class TranscriptWaitingTest {
    private static final String WALLETS = """
            setup { CREATE TABLE wallet (id int PRIMARY KEY, balance int); INSERT INTO wallet VALUES (1, 100); }
            teardown { DROP TABLE wallet; }
            session a
            step abegin { BEGIN; }
            step acharge { UPDATE wallet SET balance = balance - 80; }
            step acommit { COMMIT; }
            step atell { DO $$ BEGIN RAISE NOTICE 'one'; RAISE NOTICE 'two'; END $$; }
            session b
            step bcharge { UPDATE wallet SET balance = balance - 10 RETURNING *; }
            step bread { SELECT 7 AS seven; }
            session c
            step cread { SELECT 'c' AS text; }
            """;

    @Test
    void blockedStepIsShownWaitingAndAgainWhenItCompletes() {
        assertThat(permutation("abegin acharge bcharge acommit")).isEqualTo("""
                step abegin: BEGIN;
                step acharge: UPDATE wallet SET balance = balance - 80;
                step bcharge: UPDATE wallet SET balance = balance - 10 RETURNING *; <waiting ...>
                step acommit: COMMIT;
                step bcharge: <... completed>
                id|balance
                --+-------
                 1|     10
                (1 row)

                """);
    }

    @Test
    void starShowsAStepWaitingThatDoesNotWait() {
        assertThat(permutation("bread(*) abegin acommit")).isEqualTo("""
                step bread: SELECT 7 AS seven; <waiting ...>
                step abegin: BEGIN;
                step bread: <... completed>
                seven
                -----
                    7
                (1 row)

                step acommit: COMMIT;
                """);
    }

    @Test
    void stepIsHeldBackUntilAnotherStepHasCompleted() {
        assertThat(permutation("abegin acharge bcharge cread(bcharge) acommit")).isEqualTo("""
                step abegin: BEGIN;
                step acharge: UPDATE wallet SET balance = balance - 80;
                step bcharge: UPDATE wallet SET balance = balance - 10 RETURNING *; <waiting ...>
                step cread: SELECT 'c' AS text; <waiting ...>
                step acommit: COMMIT;
                step bcharge: <... completed>
                id|balance
                --+-------
                 1|     10
                (1 row)

                step cread: <... completed>
                text
                ----
                c  \s
                (1 row)

                """);
    }

    @Test
    void stepIsHeldBackUntilAnotherSessionHasReceivedNotices() {
        assertThat(permutation("bread(atell notices 4) atell cread atell")).isEqualTo("""
                step bread: SELECT 7 AS seven; <waiting ...>
                a: NOTICE:  one
                a: NOTICE:  two
                step atell: DO $$ BEGIN RAISE NOTICE 'one'; RAISE NOTICE 'two'; END $$;
                step cread: SELECT 'c' AS text;
                text
                ----
                c  \s
                (1 row)

                a: NOTICE:  one
                a: NOTICE:  two
                step atell: DO $$ BEGIN RAISE NOTICE 'one'; RAISE NOTICE 'two'; END $$;
                step bread: <... completed>
                seven
                -----
                    7
                (1 row)

                """);
    }

    /** B's second step can only follow its first, which waits for A, which would go on only behind B's second. */
    @Test
    void invalidPermutationEndsByACancelledStep() {
        String transcript = OwnSpec.afterStart(
                OwnSpec.run(WALLETS + "permutation abegin acharge bcharge bread acommit", Duration.ofSeconds(3)));

        assertThat(transcript.replaceFirst("after \\d+ seconds", "after N seconds"))
                .isEqualTo("""
                step abegin: BEGIN;
                step acharge: UPDATE wallet SET balance = balance - 80;
                step bcharge: UPDATE wallet SET balance = balance - 10 RETURNING *; <waiting ...>
                isolationtester: canceling step bcharge after N seconds
                step bcharge: <... completed>
                ERROR:  canceling statement due to user request
                step bread: SELECT 7 AS seven;
                seven
                -----
                    7
                (1 row)

                step acommit: COMMIT;
                """);
    }

    @Test
    void stepsThatHoldEachOtherBackEndTheTranscript() {
        assertThat(OwnSpec.failing(WALLETS + "permutation bread(*, cread) cread(bread)"))
                .endsWith("""
                starting permutation: bread cread
                step bread: SELECT 7 AS seven; <waiting ...>
                step cread: SELECT 'c' AS text; <waiting ...>
                failed to complete permutation due to mutually-blocking steps
                """);
    }

    private static String permutation(String steps) {
        return OwnSpec.afterStart(OwnSpec.run(WALLETS + "permutation " + steps));
    }
}
