package dev.rowlock.spring.http;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/**
 * The tags of an {@code If-Match} header (RFC 9110, section 13.1.1). The tag of a row is its version in quotes; tags are compared
 * strongly, so a weak one matches nothing. As an argument of a controller method it is required, as an {@link java.util.Optional} not:
 *
 * <pre>{@code
 * @PutMapping("/notes/{id}")
 * ResponseEntity<Note> replace(@PathVariable long id, EntityTags ifMatch, @RequestBody NewNote note) {
 *     Row row = rowlock.update(NOTES, id).set("text", note.text()).ifVersion(ifMatch.version()).apply().orThrow();
 *     return ResponseEntity.ok().eTag(EntityTags.tag(row.version())).body(Note.of(row));
 * }
 * }</pre>
 *
 * @param header the header as sent
 * @param any whether it is {@code *}
 * @param tags the tags, in their quotes, weak ones with {@code W/}; none if it is {@code *}
 */
public record EntityTags(String header, boolean any, List<String> tags) {
    private static final String WEAK = "W/";

    /** One element of the list: perhaps a tag, then a comma or the end. Empty elements are allowed (section 5.6.1). */
    private static final Pattern ELEMENT =
            Pattern.compile("[ \\t]*(?<tag>(?:W/)?\"[\\x21\\x23-\\x7E\\x80-\\xFF]*\")?[ \\t]*(?:,|$)");

    private static final Pattern VERSION = Pattern.compile("\"[1-9][0-9]{0,17}\"");

    /** Copies the list. */
    public EntityTags {
        tags = List.copyOf(tags);
    }

    /** The tag of a version. */
    public static String tag(long version) {
        return "\"" + version + "\"";
    }

    /**
     * The tags that a change is conditional on.
     *
     * @throws RequestRefusedException 428 without a header, or if it is {@code *}, which names no version; 400 if it cannot be read
     */
    public static EntityTags required(@Nullable String header) {
        EntityTags tags = header == null ? null : parse(header);
        if (tags == null || tags.any()) {
            throw refused(
                    ProblemKind.PRECONDITION_REQUIRED, "Send If-Match with the ETag of what was read and edited.");
        }
        return tags;
    }

    /**
     * Reads the header.
     *
     * @throws RequestRefusedException 400 if it cannot be read
     */
    public static EntityTags parse(String header) {
        if (header.strip().equals("*")) {
            return new EntityTags(header, true, List.of());
        }
        List<String> tags = new ArrayList<>();
        Matcher element = ELEMENT.matcher(header);
        int next = 0;
        while (next < header.length()) {
            if (!element.find(next) || element.start() != next) {
                throw malformed();
            }
            next = element.end();
            if (element.group("tag") != null) {
                tags.add(element.group("tag"));
            }
        }
        if (tags.isEmpty()) {
            throw malformed();
        }
        return new EntityTags(header, false, tags);
    }

    /** The versions that its strong tags name; tags that can be no version's are left out. */
    public List<Long> versions() {
        return tags.stream()
                .filter(tag -> VERSION.matcher(tag).matches())
                .map(tag -> Long.valueOf(tag.substring(1, tag.length() - 1)))
                .toList();
    }

    /**
     * The one version that the client has read, to be given to {@link dev.rowlock.Update#ifVersion}.
     *
     * @throws RequestRefusedException 412 if it names none or several, so that it is not known which one was edited
     */
    public long version() {
        List<Long> versions = versions();
        if (versions.size() != 1) {
            throw refused(ProblemKind.PRECONDITION_FAILED, "If-Match must hold the one ETag that was read and edited.");
        }
        return versions.get(0);
    }

    /** Whether the version is among them, or any will do. */
    public boolean match(long version) {
        return any || tags.contains(tag(version));
    }

    /** Whether the tag is among them by the weak comparison of If-None-Match (section 8.8.3.2), or any will do. */
    public boolean matchWeakly(String tag) {
        return any || tags.stream().anyMatch(own -> opaque(own).equals(opaque(tag)));
    }

    /**
     * Goes on only if the version is among them.
     *
     * @throws RequestRefusedException 412 otherwise
     */
    public void requireMatch(long version) {
        if (!match(version)) {
            throw refused(ProblemKind.PRECONDITION_FAILED, RowlockProblems.READ_AGAIN);
        }
    }

    private static String opaque(String tag) {
        return tag.startsWith(WEAK) ? tag.substring(WEAK.length()) : tag;
    }

    private static RequestRefusedException malformed() {
        return refused(
                ProblemKind.INVALID_REQUEST, "If-Match must be the ETag that was read, in its quotes, such as \"7\"");
    }

    private static RequestRefusedException refused(ProblemKind kind, String detail) {
        return new RequestRefusedException(HttpHeaders.IF_MATCH, Problem.of(kind, detail));
    }
}
