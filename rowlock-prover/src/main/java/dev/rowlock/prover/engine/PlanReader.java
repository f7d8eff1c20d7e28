package dev.rowlock.prover.engine;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** Reads the answer of {@code EXPLAIN (VERBOSE, FORMAT XML)}. */
final class PlanReader {
    private PlanReader() {}

    /**
     * A node that touches a table.
     *
     * @param table as {@code schema.name}
     * @param alias of the table in the statement
     * @param operation {@code Insert}, {@code Update}, {@code Delete}, {@code Merge}; empty for a scan
     * @param locked whether rows found here are locked, because a node above says so
     * @param conditions what the rows found here must fulfil
     */
    record Access(String table, String alias, String operation, boolean locked, List<String> conditions) {}

    /**
     * What a plan does.
     *
     * @param accesses each node that touches a table
     * @param text all expressions in it
     */
    record Plan(List<Access> accesses, String text) {}

    static Plan read(String xml) {
        List<Access> accesses = new ArrayList<>();
        Element root = parse(xml).getDocumentElement();
        walk(root, false, accesses);
        return new Plan(accesses, root.getTextContent());
    }

    private static Document parse(String xml) {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            return factory.newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
        } catch (ParserConfigurationException | SAXException | IOException e) {
            throw new RaceException("the server's plan is not readable: " + e.getMessage(), e);
        }
    }

    private static void walk(Element element, boolean locked, List<Access> accesses) {
        boolean isLocked = locked;
        if (element.getTagName().equals("Plan")) {
            isLocked |= text(element, "Node-Type").orElse("").equals("LockRows");
            read(element, isLocked).ifPresent(accesses::add);
        }
        if (element.getTagName().equals("Target-Table") || element.getTagName().equals("Target-Tables")) {
            text(element, "Relation-Name")
                    .ifPresent(
                            name -> accesses.add(new Access(qualified(element, name), "", "Merge", false, List.of())));
        }
        for (Node child = element.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child instanceof Element inner) {
                walk(inner, isLocked, accesses);
            }
        }
    }

    private static Optional<Access> read(Element plan, boolean locked) {
        return text(plan, "Relation-Name")
                .map(name -> new Access(
                        qualified(plan, name),
                        text(plan, "Alias").orElse(name),
                        text(plan, "Operation").orElse(""),
                        locked,
                        List.of("Index-Cond", "Filter", "Recheck-Cond", "TID-Cond").stream()
                                .flatMap(tag -> text(plan, tag).stream())
                                .toList()));
    }

    private static String qualified(Element element, String name) {
        return text(element, "Schema").orElse("?") + "." + name;
    }

    /** The text of a direct child. */
    private static Optional<String> text(Element element, String tag) {
        for (Node child = element.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child instanceof Element inner && inner.getTagName().equals(tag)) {
                return Optional.of(inner.getTextContent());
            }
        }
        return Optional.empty();
    }
}
