package dev.rowlock.counter;

import dev.rowlock.Key;
import dev.rowlock.RowPlace;
import dev.rowlock.Update;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Where the rows lie that callers pile up on; those on which nobody has for the longest time are forgotten. */
final class Places {
    static final int MOST = 1_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Key, RowPlace> places = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, RowPlace> eldest) {
            return size() > MOST;
        }
    };

    /** For a change of a row that callers pile up on. */
    Update forMany(Rules rules, Key key, Update update) {
        return near(rules, update, known(key, true));
    }

    /** For a single change, which is not what begins to remember. */
    Update forOne(Rules rules, Key key, Update update) {
        return near(rules, update, known(key, false));
    }

    private @Nullable RowPlace known(Key key, boolean begin) {
        lock.lock();
        try {
            return begin ? places.computeIfAbsent(key, none -> new RowPlace()) : places.get(key);
        } finally {
            lock.unlock();
        }
    }

    private static Update near(Rules rules, Update update, @Nullable RowPlace place) {
        return place == null || !rules.hasPlaces() ? update : update.near(place);
    }
}
