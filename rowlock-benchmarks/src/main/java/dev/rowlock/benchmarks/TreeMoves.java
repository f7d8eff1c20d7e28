package dev.rowlock.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.rowlock.Rowlock;
import dev.rowlock.RowlockSchema;
import dev.rowlock.Table;
import dev.rowlock.benchmarks.Comparison.Figure;
import dev.rowlock.tree.Protocol;
import dev.rowlock.tree.Tree;
import dev.rowlock.tree.TreeReport;
import dev.rowlock.tree.TreeRuleException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Each mover reshapes a branch of his own of one tree. */
final class TreeMoves implements Contest {
    private static final Table NODES = Table.of("node", "id");
    private static final int NODES_IN_ALL = 10_000;
    private static final int MAX_DEPTH = 32;
    private static final int BRANCHES = 32;
    private static final int MOVERS = 8;
    private static final String BY_HAND = "one advisory lock by hand";

    @Override
    public int number() {
        return 11;
    }

    @Override
    public String title() {
        return "Tree moves in separate branches, 10,000 nodes";
    }

    @Override
    public Result run(Bench bench) throws Exception {
        List<Entrant> entrants = new ArrayList<>();
        int[] movers = bench.plan().quick() ? new int[] {MOVERS} : new int[] {1, 2, MOVERS, 32};
        for (int n : movers) {
            entrants.add(bench.entrant(name("lock sets", n), n, opener(n, pool -> tree(pool, Protocol.LOCK_SETS))));
            entrants.add(bench.entrant(name("tree lock", n), n, opener(n, pool -> tree(pool, Protocol.TREE_LOCK))));
            entrants.add(bench.entrant(name(BY_HAND, n), n, opener(n, TreeMoves::byHand)));
        }
        Map<String, List<Trial>> trials = bench.alternate(entrants);
        List<Comparison> comparisons = new ArrayList<>();
        comparisons.add(
                Comparison.of(trials, name("lock sets", MOVERS), name(BY_HAND, MOVERS), Figure.THROUGHPUT, 2, true));
        return new Result(
                number(),
                title(),
                trials,
                comparisons,
                List.of("A connection for each mover; a random node goes under a random other one of its branch."));
    }

    private static String name(String what, int movers) {
        return what + ", " + movers + (movers == 1 ? " mover" : " movers");
    }

    /** Moves a node; false where the rules refuse it. */
    @FunctionalInterface
    private interface Move {
        boolean of(long node, long parent) throws Exception;
    }

    @FunctionalInterface
    private interface How {
        Move over(HikariDataSource pool);
    }

    private static Contender.Opener opener(int movers, How how) {
        return bench -> {
            Database database = bench.database();
            database.run(
                    "DROP TABLE IF EXISTS node",
                    "CREATE TABLE node (id bigint PRIMARY KEY, parent_id bigint REFERENCES node)",
                    "CREATE INDEX ON node (parent_id)",
                    // A root, the tops of the branches, and then each node under one ten times nearer to the top of its
                    // branch.
                    "INSERT INTO node VALUES (0, NULL)",
                    "INSERT INTO node SELECT n, 0 FROM generate_series(1, " + BRANCHES + ") n",
                    "INSERT INTO node SELECT n, (n - 1) % " + BRANCHES + " + 1 + " + BRANCHES + " * ((n - 1) / "
                            + BRANCHES + " / 10) FROM generate_series(" + (BRANCHES + 1) + ", " + (NODES_IN_ALL - 1)
                            + ") n",
                    "VACUUM ANALYZE node",
                    "CHECKPOINT");
            HikariDataSource pool = database.pool(movers);
            RowlockSchema.install(Rows.rowlock(pool));
            Move move = how.over(pool);
            return new Contender() {
                @Override
                public Call caller(int number) {
                    SplittableRandom random = new SplittableRandom(number);
                    int size = NODES_IN_ALL / BRANCHES - 1;
                    return () -> {
                        boolean moved = false;
                        // What would make a ring is refused without a write, and is no move.
                        for (int i = 0; i < 100 && !moved; i++) {
                            long node = number + 1L + BRANCHES * (long) random.nextInt(1, size);
                            long parent = number + 1L + BRANCHES * (long) random.nextInt(0, size);
                            moved = move.of(node, parent);
                        }
                    };
                }

                @Override
                public void check(long operations) throws Exception {
                    TreeReport report =
                            tree(Rows.rowlock(pool), Protocol.TREE_LOCK).check();
                    WrongResultException.require(report.isSound(), "it is no tree any more: " + report);
                    long nodes = database.number("SELECT count(*) FROM node");
                    WrongResultException.require(nodes == NODES_IN_ALL, "there are " + nodes + " nodes");
                }

                @Override
                public void close() {
                    pool.close();
                }
            };
        };
    }

    private static Tree tree(Rowlock rowlock, Protocol protocol) {
        return Tree.over(rowlock, NODES).maxDepth(MAX_DEPTH).protocol(protocol).build();
    }

    private static Move tree(HikariDataSource pool, Protocol protocol) {
        Tree tree = tree(Rows.rowlock(pool), protocol);
        return (node, parent) -> {
            if (node == parent) {
                return false;
            }
            try {
                tree.move(node, parent);
                return true;
            } catch (TreeRuleException e) {
                return false;
            }
        };
    }

    private static Move byHand(HikariDataSource pool) {
        return (node, parent) -> {
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                try {
                    boolean moved = moveByHand(connection, node, parent);
                    connection.commit();
                    return moved;
                } catch (SQLException | RuntimeException e) {
                    connection.rollback();
                    throw e;
                } finally {
                    connection.setAutoCommit(true);
                }
            }
        };
    }

    /** The same rules: no ring, and no deeper than allowed. */
    private static boolean moveByHand(Connection connection, long node, long parent) throws SQLException {
        try (PreparedStatement lock = connection.prepareStatement("SELECT pg_advisory_xact_lock(1)")) {
            lock.execute();
        }
        try (PreparedStatement look = connection.prepareStatement("""
                WITH RECURSIVE up AS (
                  SELECT id, parent_id, 1 AS n FROM node WHERE id = ?
                  UNION ALL
                  SELECT p.id, p.parent_id, n + 1 FROM up JOIN node p ON p.id = up.parent_id WHERE n <= 32
                ), down AS (
                  SELECT id, 1 AS n FROM node WHERE id = ?
                  UNION ALL
                  SELECT c.id, n + 1 FROM down JOIN node c ON c.parent_id = down.id WHERE n <= 32
                )
                SELECT NOT EXISTS (SELECT 1 FROM up WHERE id = ?)
                       AND (SELECT max(n) FROM up) + (SELECT max(n) FROM down) <= 32""")) {
            look.setLong(1, parent);
            look.setLong(2, node);
            look.setLong(3, node);
            try (ResultSet row = look.executeQuery()) {
                row.next();
                if (!row.getBoolean(1)) {
                    return false;
                }
            }
        }
        try (PreparedStatement update = connection.prepareStatement("UPDATE node SET parent_id = ? WHERE id = ?")) {
            update.setLong(1, parent);
            update.setLong(2, node);
            Rows.requireOne(update.executeUpdate());
        }
        return true;
    }
}
