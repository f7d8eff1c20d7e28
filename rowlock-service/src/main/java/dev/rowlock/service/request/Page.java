package dev.rowlock.service.request;

import dev.rowlock.service.problem.ProblemException;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;

/**
 * A part of a list that is ordered by id.
 *
 * @param after the last id of the part before, or 0
 * @param limit how many at most
 */
public record Page(long after, int limit) {
    private static final int DEFAULT = 100;
    private static final int MOST = 1_000;
    private static final Pattern FORM = Pattern.compile("[1-9][0-9]{0,3}");

    /**
     * Reads the parameters.
     *
     * @throws ProblemException 400 if the limit is not from 1 to 1000
     */
    public static Page of(@Nullable Id after, @Nullable String limit) {
        int most = limit == null ? DEFAULT : FORM.matcher(limit).matches() ? Integer.parseInt(limit) : MOST + 1;
        if (most > MOST) {
            throw ProblemException.invalid("limit", "must be a whole number from 1 to " + MOST);
        }
        return new Page(after == null ? 0 : after.value(), most);
    }

    /**
     * The answer, with a link to the next part (RFC 8288) where this one is full.
     *
     * @param path up to where the parameters of the page follow
     */
    public <T> ResponseEntity<List<T>> answer(String path, List<T> items, ToLongFunction<T> id) {
        if (items.size() < limit) {
            return ResponseEntity.ok(items);
        }
        long last = id.applyAsLong(items.get(items.size() - 1));
        String link = "<" + path + "after=" + last + "&limit=" + limit + ">; rel=\"next\"";
        return ResponseEntity.ok().header(HttpHeaders.LINK, link).body(items);
    }
}
