package dev.rowlock.watch.waits;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Finds who waits for himself through others. */
final class Rings {
    private Rings() {}

    /**
     * A queue of n sessions has about n²/2 edges, and no ring: so first all go that lead to somebody who can go on, and only what
     * is left, which is rings and who waits for them, is looked at closely.
     */
    static List<Set<Integer>> in(List<Wait> waits) {
        Map<Integer, Set<Integer>> stuck = stuck(waits);
        Map<Integer, Set<Integer>> reach = new TreeMap<>();
        stuck.keySet().forEach(pid -> reach.put(pid, reachable(pid, stuck)));
        List<Set<Integer>> rings = new ArrayList<>();
        Set<Integer> done = new HashSet<>();
        reach.forEach((pid, others) -> {
            if (others.contains(pid) && !done.contains(pid)) {
                Set<Integer> ring = new TreeSet<>(others);
                ring.removeIf(other -> !reach.getOrDefault(other, Set.of()).contains(pid));
                done.addAll(ring);
                rings.add(ring);
            }
        });
        return List.copyOf(rings);
    }

    /** Without all who wait only for sessions that can go on: once those have, they can too. */
    private static Map<Integer, Set<Integer>> stuck(List<Wait> waits) {
        Map<Integer, Set<Integer>> blockers = new HashMap<>();
        waits.forEach(wait -> blockers.put(wait.pid(), new HashSet<>(wait.blockers())));
        blockers.values().forEach(of -> of.retainAll(blockers.keySet()));
        Map<Integer, List<Integer>> waiters = new HashMap<>();
        blockers.forEach((pid, of) -> of.forEach(
                one -> waiters.computeIfAbsent(one, none -> new ArrayList<>()).add(pid)));
        Deque<Integer> free = new ArrayDeque<>();
        blockers.forEach((pid, of) -> {
            if (of.isEmpty()) {
                free.add(pid);
            }
        });
        while (!free.isEmpty()) {
            Integer pid = free.remove();
            blockers.remove(pid);
            for (Integer waiter : waiters.getOrDefault(pid, List.of())) {
                Set<Integer> left = blockers.get(waiter);
                if (left != null && left.remove(pid) && left.isEmpty()) {
                    free.add(waiter);
                }
            }
        }
        return blockers;
    }

    private static Set<Integer> reachable(Integer from, Map<Integer, Set<Integer>> blockers) {
        Set<Integer> seen = new HashSet<>();
        Deque<Integer> open = new ArrayDeque<>(blockers.getOrDefault(from, Set.of()));
        while (!open.isEmpty()) {
            Integer pid = open.remove();
            if (seen.add(pid)) {
                open.addAll(blockers.getOrDefault(pid, Set.of()));
            }
        }
        return seen;
    }
}
