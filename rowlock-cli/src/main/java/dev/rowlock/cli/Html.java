package dev.rowlock.cli;

/** Builds HTML in which text cannot become anything but text. */
final class Html {
    private final StringBuilder page = new StringBuilder();

    /** Adds markup of ours, as it is. */
    Html raw(String markup) {
        page.append(markup);
        return this;
    }

    /** Adds text of others, harmless between tags and inside quoted attributes. */
    Html text(String text) {
        page.append(escaped(text));
        return this;
    }

    /** Adds an element with nothing but text in it. */
    Html element(String name, String cssClass, String text) {
        return raw("<" + name + (cssClass.isEmpty() ? "" : " class=\"" + cssClass + "\"") + ">")
                .text(text)
                .raw("</" + name + ">");
    }

    static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        text.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.appendCodePoint(isAllowed(c) ? c : '\uFFFD');
            }
        });
        return escaped.toString();
    }

    /** Control characters have no place in HTML, not even escaped. */
    private static boolean isAllowed(int c) {
        return c == '\n' || c == '\t' || c == '\r' || !Character.isISOControl(c);
    }

    @Override
    public String toString() {
        return page.toString();
    }
}
