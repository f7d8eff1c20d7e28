package dev.rowlock.watch.waits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.watch.waits.LockedThing.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RingsTest {
    private static final LockedThing LOCK = new LockedThing(Kind.TRANSACTION, "ShareLock", null, null, Map.of(), "1");

    private static Wait waitOf(int pid, Integer... blockers) {
        return new Wait(pid, Arrays.asList(blockers), LOCK, null);
    }

    @Test
    void queueIsNoRingHoweverLong() {
        List<Wait> queue = IntStream.range(1, 500)
                .mapToObj(pid -> waitOf(pid, IntStream.range(0, pid).boxed().toArray(Integer[]::new)))
                .toList();

        assertThat(Rings.in(queue)).isEmpty();
    }

    @Test
    void ringsAreToldWithoutThoseBehindThemOrBetween() {
        List<Wait> waits = List.of(
                waitOf(1, 2),
                waitOf(2, 3),
                waitOf(3, 1), // a ring of three
                waitOf(4, 3, 5),
                waitOf(5, 6), // between two rings
                waitOf(6, 7),
                waitOf(7, 6, 99), // a ring of two, one of which waits for a session that can go on
                waitOf(8, 4)); // behind

        assertThat(Rings.in(waits)).containsExactly(Set.of(1, 2, 3), Set.of(6, 7));
    }

    @Test
    void ringsThatShareASessionAreOneGroup() {
        assertThat(Rings.in(List.of(waitOf(1, 2), waitOf(2, 1, 3), waitOf(3, 2))))
                .containsExactly(Set.of(1, 2, 3));
    }
}
