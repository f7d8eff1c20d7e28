package dev.rowlock.cli;

import dev.rowlock.prover.engine.ActorResult;
import dev.rowlock.prover.engine.ActorResult.StepResult;
import dev.rowlock.prover.engine.Execution;
import dev.rowlock.prover.engine.Timeline;
import dev.rowlock.prover.engine.Timeline.Moment;
import java.util.List;
import java.util.stream.Collectors;

/** A schedule as a table: one column for each actor, time downwards. What the terminal's drawing says, this says too. */
final class HtmlDrawing {
    private final Html html;
    private final List<String> actors;

    HtmlDrawing(Html html, List<String> actors) {
        this.html = html;
        this.actors = actors;
    }

    void draw(Execution execution) {
        html.raw("<div class=\"scroll\"><table class=\"drawing\">\n<thead><tr>");
        actors.forEach(actor -> html.element("th", "", actor));
        html.raw("</tr></thead>\n<tbody>\n");
        for (Moment moment : Timeline.of(execution)) {
            html.raw("<tr>");
            for (int i = 0; i < actors.size(); i++) {
                if (i == moment.actor()) {
                    html.raw("<td class=\"step a" + i % HtmlPage.COLOURS + "\">");
                    cell(moment);
                    html.raw("</td>");
                } else {
                    html.raw(moment.waiting().contains(i) ? "<td class=\"waits\"></td>" : "<td></td>");
                }
            }
            html.raw("</tr>\n");
        }
        html.raw("</tbody>\n<tfoot><tr>");
        for (ActorResult result : execution.results()) {
            html.element("td", result.status() == ActorResult.Status.ABORTED ? "error" : "end", Timeline.end(result));
        }
        html.raw("</tr></tfoot>\n</table></div>\n");
    }

    private void cell(Moment moment) {
        if (moment.begins()) {
            html.element("b", "", moment.step());
            moment.result().ifPresent(result -> html.raw(" ").element("code", "", Timeline.sql(result)));
        } else {
            html.element("div", "wait", moment.step() + " goes on");
        }
        if (moment.ends()) {
            moment.result().ifPresent(this::result);
        } else {
            html.element(
                    "div",
                    "wait",
                    "waits for " + moment.waitsFor().stream().map(actors::get).collect(Collectors.joining(", ")));
        }
    }

    private void result(StepResult result) {
        result.rows().forEach(row -> html.element("div", "value", "→ " + String.join(" | ", row)));
        result.error().ifPresent(error -> html.element("div", "error", error));
    }
}
