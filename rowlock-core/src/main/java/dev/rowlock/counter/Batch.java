package dev.rowlock.counter;

import dev.rowlock.DatabaseException;
import dev.rowlock.Key;
import dev.rowlock.Rowlock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Carries requests out in transactions of their own, and says what became of each. */
final class Batch {
    private final Rowlock rowlock;
    private final Supplier<Rules> rulesOfTable;
    private final Places places = new Places();
    /** Whether the last changes of one row could not all be made, so that one statement for all of them is not worth trying. */
    private volatile boolean scarce;

    Batch(Rowlock rowlock, Supplier<Rules> rulesOfTable) {
        this.rowlock = rowlock;
        this.rulesOfTable = rulesOfTable;
    }

    /** Never throws: what fails is the outcome of those whom it concerns. */
    List<Outcome> run(List<Request> requests) {
        if (requests.size() == 1 && requests.get(0).parts().size() == 1) {
            return List.of(alone(requests.get(0)));
        }
        return combined(requests);
    }

    /** One statement that carries its own conditions and commits by itself. */
    private Outcome alone(Request request) {
        try {
            Rules rules = rulesOfTable.get();
            Request.Part part = request.parts().get(0);
            Optional<Change> change = new GuardedChange(rules, part)
                    .apply(places.forOne(rules, part.key(), rowlock.update(rules.table(), part.key())));
            return change.isPresent()
                    ? Outcome.of(GuardedChange.asChanges(change.get()))
                    : combined(List.of(request)).get(0);
        } catch (RuntimeException | Error e) {
            return Outcome.failed(e);
        }
    }

    /**
     * One transaction for all. If the database refuses what one of them does to a row (a constraint, a trigger), or leaves undone, halves are tried, so
     * that it alone fails; whoever came first is still first.
     */
    List<Outcome> combined(List<Request> requests) {
        try {
            return inOneTransaction(requests);
        } catch (DatabaseException | IllegalStateException e) {
            if (requests.size() == 1) {
                return List.of(Outcome.failed(e));
            }
            int half = requests.size() / 2;
            List<Outcome> outcomes = new ArrayList<>(combined(requests.subList(0, half)));
            outcomes.addAll(combined(requests.subList(half, requests.size())));
            return outcomes;
        } catch (RuntimeException | Error e) {
            return Collections.nCopies(requests.size(), Outcome.failed(e));
        }
    }

    private List<Outcome> inOneTransaction(List<Request> requests) {
        Rules rules = rulesOfTable.get();
        Set<Key> keys = requests.get(0).keys();
        boolean sameRows = requests.stream().allMatch(request -> request.keys().equals(keys));
        boolean oneRow = sameRows && keys.size() == 1 && requests.size() > 1;
        if (!oneRow) {
            // Where all are about the same rows, nobody is kept by waiting for them who would not have to wait anyway.
            return rowlock.call(tx -> new Decision(rules, tx).oneByOne(requests, sameRows));
        }
        return rowlock.call(tx -> {
            Decision decision = new Decision(rules, tx);
            Optional<List<Outcome>> together = scarce ? Optional.empty() : decision.together(requests, places);
            if (together.isPresent()) {
                return together.get();
            }
            List<Outcome> outcomes = decision.oneByOne(requests, true);
            scarce = outcomes.stream()
                    .anyMatch(outcome ->
                            outcome.answer() != null && !outcome.answer().isApplied());
            return outcomes;
        });
    }
}
