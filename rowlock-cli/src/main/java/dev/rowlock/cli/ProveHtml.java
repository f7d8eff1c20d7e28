package dev.rowlock.cli;

import dev.rowlock.prover.engine.Remedy;
import dev.rowlock.prover.engine.Report;
import dev.rowlock.prover.engine.Verdict;
import dev.rowlock.prover.scenario.Scenario;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** The findings as one page for people who were not there: a table of verdicts, then each scenario with all that came of it. */
final class ProveHtml implements Findings {
    private final String server;
    private final String isolation;
    private final Html overview = new Html();
    private final Html details = new Html();
    private final List<String> verdicts = new ArrayList<>();

    /**
     * Begins an empty page.
     *
     * @param server its version
     * @param isolation at which level everything ran, in words
     */
    ProveHtml(String server, String isolation) {
        this.server = server;
        this.isolation = isolation;
    }

    @Override
    public void add(Scenario scenario, Report report, long millis) {
        String verdict = ProveOutput.word(report.verdict());
        overview(
                scenario,
                verdict,
                Long.toString(report.schedules()),
                Integer.toString(report.outcomes().size()),
                Durations.words(millis));
        heading(scenario, verdict);
        if (report.verdict() instanceof Verdict.Violated violated) {
            details.raw("<p>").text(violated.why()).raw("</p>\n");
        }
        if (report.verdict() instanceof Verdict.Undecided undecided) {
            undecided
                    .reasons()
                    .forEach(reason -> details.element("p", "", reason).raw("\n"));
        }
        report.shown().ifPresent(execution -> new HtmlDrawing(details, ProveOutput.actors(scenario)).draw(execution));
        details.element("p", "soft", counts(report)).raw("\n");
        outcomes(report, !verdict.equals("proved"));
        details.raw("</section>\n");
    }

    @Override
    public void addUndecided(Scenario scenario, String reason, long millis) {
        overview(scenario, "undecided", "–", "–", Durations.words(millis));
        heading(scenario, "undecided");
        details.element("p", "", reason).raw("\n</section>\n");
    }

    @Override
    public void addRemedies(Scenario scenario, List<Remedy> remedies) {
        if (remedies.isEmpty()) {
            details.element("p", "soft", "No bad schedule was found, so no remedy was tried.")
                    .raw("\n");
            return;
        }
        details.raw("<div class=\"scroll\"><table>\n<thead><tr>");
        RemedyRow.HEADS.forEach(head -> details.element("th", RemedyRow.COUNTS.contains(head) ? "n" : "", head));
        details.raw("</tr></thead>\n<tbody>\n");
        for (Remedy remedy : remedies) {
            RemedyRow row = RemedyRow.of(scenario, remedy);
            details.raw("<tr>")
                    .element("td", "", row.remedy())
                    .element("td", "verdict " + row.verdict(), row.verdict());
            row.counts().forEach(count -> details.element("td", "n", count));
            details.element("td", "", row.note()).raw("</tr>\n");
        }
        details.raw("</tbody>\n</table></div>\n");
    }

    private void overview(Scenario scenario, String verdict, String schedules, String outcomes, String time) {
        overview.raw("<tr><td><a href=\"#s" + verdicts.size() + "\">")
                .text(scenario.name())
                .raw("</a></td>")
                .element("td", "verdict " + verdict, verdict)
                .element("td", "n", schedules)
                .element("td", "n", outcomes)
                .element("td", "n", time)
                .raw("</tr>\n");
    }

    private void heading(Scenario scenario, String verdict) {
        details.raw("<section id=\"s" + verdicts.size() + "\">\n<h2>")
                .text(scenario.name())
                .raw(": ")
                .element("span", verdict, verdict)
                .raw("</h2>\n");
        verdicts.add(verdict);
    }

    private static String counts(Report report) {
        return report.schedules() + " schedules run"
                + report.interleavings()
                        .map(BigInteger::toString)
                        .map(all -> " of " + all)
                        .orElse("")
                + (report.exhaustive() ? ", which is all that are possible" : ", which is not all that are possible")
                + "; " + report.violating() + " violating, " + report.aborted() + " with an aborted session, "
                + report.deadlocks() + " with a deadlock.";
    }

    private void outcomes(Report report, boolean open) {
        details.raw("<details" + (open ? " open" : "") + "><summary>All outcomes (")
                .text(Integer.toString(report.outcomes().size()))
                .raw(")</summary>\n<div class=\"scroll\"><table>\n<thead><tr><th>outcome</th>"
                        + "<th class=\"n\">schedules</th><th>serial</th><th>bad</th></tr></thead>\n<tbody>\n");
        for (Report.Counted counted : report.outcomes()) {
            details.raw("<tr><td>")
                    .element("pre", "", counted.outcome())
                    .raw("</td>")
                    .element("td", "n", Long.toString(counted.count()))
                    .element("td", counted.serial() ? "" : "violated", counted.serial() ? "yes" : "no")
                    .element("td", counted.violates() ? "violated" : "", counted.violates() ? "yes" : "no")
                    .raw("</tr>\n");
        }
        details.raw("</tbody>\n</table></div></details>\n");
    }

    /** The whole page. */
    String text() {
        Html page = HtmlPage.begin();
        page.element("h1", "", summary())
                .raw("\n")
                .element("p", "soft", "On " + server + ", isolation " + isolation + ".")
                .raw("\n<div class=\"scroll\"><table>\n<thead><tr><th>scenario</th><th>verdict</th>"
                        + "<th class=\"n\">schedules</th><th class=\"n\">outcomes</th><th class=\"n\">time</th>"
                        + "</tr></thead>\n<tbody>\n")
                .raw(overview.toString())
                .raw("</tbody>\n</table></div>\n")
                .raw(details.toString());
        return HtmlPage.end(page);
    }

    private String summary() {
        return verdicts.size() + (verdicts.size() == 1 ? " scenario: " : " scenarios: ") + count("proved") + " proved, "
                + count("violated") + " violated, " + count("undecided") + " undecided";
    }

    private long count(String verdict) {
        return verdicts.stream().filter(verdict::equals).count();
    }
}
