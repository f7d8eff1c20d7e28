package dev.rowlock.service.product;

import dev.rowlock.service.problem.ProblemException;
import dev.rowlock.service.problem.ProblemType;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The tags of an {@code If-Match} header (RFC 9110, section 13.1.1). A product's tag is its version in quotes; tags are compared
 * strongly, so a weak one matches nothing.
 *
 * @param header the header as sent
 * @param any whether it is {@code *}
 * @param versions the versions that its strong tags name; tags that can be no product's are left out
 */
record EntityTags(String header, boolean any, List<Long> versions) {
    private static final String NAME = "If-Match";

    /** One element of the list: perhaps a tag, then a comma or the end. Empty elements are allowed (section 5.6.1). */
    private static final Pattern ELEMENT =
            Pattern.compile("[ \\t]*(?<tag>(?<weak>W/)?\"(?<opaque>[\\x21\\x23-\\x7E\\x80-\\xFF]*)\")?[ \\t]*(?:,|$)");

    private static final Pattern VERSION = Pattern.compile("[1-9][0-9]{0,17}");

    /** The tag of a version. */
    static String tag(long version) {
        return "\"" + version + "\"";
    }

    /**
     * The tags that a change is conditional on.
     *
     * @throws ProblemException 428 without a header, or if it is {@code *}, which names no version; 400 if it cannot be read
     */
    static EntityTags required(@Nullable String header) {
        EntityTags tags = header == null ? null : parse(header);
        if (tags == null || tags.any()) {
            throw new ProblemException(
                    ProblemType.PRECONDITION_REQUIRED,
                    "Send If-Match with the ETag of the product that was read and edited.");
        }
        return tags;
    }

    /**
     * Reads the header.
     *
     * @throws ProblemException 400 if it cannot be read
     */
    static EntityTags parse(String header) {
        if (header.strip().equals("*")) {
            return new EntityTags(header, true, List.of());
        }
        List<Long> versions = new ArrayList<>();
        boolean seen = false;
        Matcher element = ELEMENT.matcher(header);
        int next = 0;
        while (next < header.length()) {
            if (!element.find(next) || element.start() != next) {
                throw malformed();
            }
            next = element.end();
            if (element.group("tag") != null) {
                seen = true;
                String opaque = element.group("opaque");
                if (element.group("weak") == null && VERSION.matcher(opaque).matches()) {
                    versions.add(Long.valueOf(opaque));
                }
            }
        }
        if (!seen) {
            throw malformed();
        }
        return new EntityTags(header, false, List.copyOf(versions));
    }

    /** The version that the client had read, or the header where it does not name exactly one. */
    Object expected() {
        boolean one = versions.size() == 1 && header.strip().equals(tag(versions.get(0)));
        return one ? versions.get(0) : header.strip();
    }

    boolean match(long version) {
        return any || versions.contains(version);
    }

    private static ProblemException malformed() {
        return ProblemException.invalid(NAME, "must be the ETag that was read, in its quotes, such as \"7\"");
    }
}
