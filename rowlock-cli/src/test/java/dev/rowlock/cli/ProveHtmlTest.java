package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.prover.engine.Remedy;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ProveHtmlTest {
    private static String page() {
        ProveHtml html = new ProveHtml("PostgreSQL 18.4", "as-written");
        html.add(ProveSamples.scenario("x" + ProveSamples.SCRIPT), ProveSamples.violated(), 1234);
        html.addRemedies(
                ProveSamples.scenario("x"),
                List.of(
                        new Remedy.Tried("SERIALIZABLE", ProveSamples.violated()),
                        new Remedy.Impossible("lock " + ProveSamples.SCRIPT, List.of("no " + ProveSamples.SCRIPT))));
        html.addUndecided(ProveSamples.scenario("y.race"), "no " + ProveSamples.SCRIPT, 5);
        return html.text();
    }

    @Test
    void nothingOfOthersBecomesMarkup() {
        String escaped = Html.escaped(ProveSamples.SCRIPT);

        assertThat(escaped).isEqualTo("&lt;script&gt;alert(&#39;a &amp; b&#39;)&lt;/script&gt;");
        // In the names (link and heading), the sentence, SQL, value, error, outcome, a remedy's name and reason, and
        // the
        // other one's reason.
        assertThat(page().split(Pattern.quote(escaped), -1)).hasSize(1 + 10);
        assertThat(page()).doesNotContain("<script");
    }

    @Test
    void controlCharactersAreReplaced() {
        assertThat(Html.escaped("a\u0000\u001b[31m\n\"")).isEqualTo("a\uFFFD\uFFFD[31m\n&quot;");
    }

    @Test
    void pageNeedsNothingFromElsewhereAndFitsAPhone() {
        assertThat(page())
                .startsWith("<!DOCTYPE html>")
                .contains("<meta name=\"viewport\" content=\"width=device-width", "prefers-color-scheme: dark")
                .doesNotContain("http:", "https:", "src=", "<link", "@import", "url(")
                .endsWith("</html>\n");
    }

    @Test
    void everyTagIsClosed() {
        String page = page();
        for (String tag :
                new String[] {"table", "tr", "td", "th", "div", "section", "details", "pre", "h2", "p", "b"}) {
            assertThat(page.split("<" + tag + "[ >]", -1))
                    .as(tag)
                    .hasSameSizeAs(page.split("</" + tag + ">", -1))
                    .hasSizeGreaterThan(1);
        }
    }

    @Test
    void drawingSaysWhoWaitsAndWhereItComesBack() {
        String page = page();

        assertThat(page)
                .containsSubsequence(
                        "<th>a</th><th>b</th>",
                        "<td></td><td class=\"step a1\"><b>rb</b> <code>UPDATE t</code><div class=\"wait\">waits for a</div></td>",
                        "<td class=\"step a0\"><b>ra</b>",
                        "<td class=\"waits\"></td>",
                        "<td></td><td class=\"step a1\"><div class=\"wait\">rb goes on</div></td>",
                        "aborted by 40001",
                        "committed");
    }

    @Test
    void remediesAreATable() {
        assertThat(page())
                .contains(
                        "<td>SERIALIZABLE</td><td class=\"verdict violated\">violated</td><td class=\"n\">2</td>"
                                + "<td class=\"n\">2</td><td class=\"n\">1</td><td class=\"n\">0</td>",
                        "<td class=\"verdict impossible\">impossible</td><td class=\"n\">-</td>");
    }

    @Test
    void verdictsCountsAndOutcomesAreThere() {
        assertThat(page())
                .contains("2 scenarios: 0 proved, 1 violated, 1 undecided", "On PostgreSQL 18.4")
                .contains("2 schedules run of 2, which is all that are possible; 1 violating")
                .contains("All outcomes (2)", "<td class=\"n\">1.2 s</td>")
                .contains("<td class=\"n\">1</td><td class=\"violated\">no</td><td class=\"violated\">yes</td>")
                .contains("<td class=\"n\">1</td><td>yes</td><td>no</td>");
    }
}
