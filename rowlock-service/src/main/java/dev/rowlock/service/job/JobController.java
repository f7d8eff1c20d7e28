package dev.rowlock.service.job;

import dev.rowlock.jobs.JobInfo;
import dev.rowlock.jobs.JobRequest;
import dev.rowlock.jobs.JobState;
import dev.rowlock.jobs.Jobs;
import dev.rowlock.jobs.Requeue;
import dev.rowlock.service.openapi.MayAnswer;
import dev.rowlock.service.problem.ProblemException;
import dev.rowlock.service.problem.ProblemType;
import dev.rowlock.service.request.Id;
import dev.rowlock.service.request.Page;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Jobs over HTTP. */
@Tag(name = "Jobs")
@RestController
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
final class JobController {
    private final Jobs jobs;

    JobController(Jobs jobs) {
        this.jobs = jobs;
    }

    @Operation(
            operationId = "listJobs",
            summary = "The jobs in one state, by id",
            description = "A job that is done is not there any more. Where there may be more, Link has the next page.")
    @GetMapping("/jobs")
    ResponseEntity<List<JobView>> list(
            @Parameter(schema = @Schema(allowableValues = {"ready", "running", "dead"}))
                    @RequestParam(name = "state", required = false)
                    @Nullable
                    String state,
            @RequestParam(name = "after", required = false) @Nullable Id after,
            @Parameter(schema = @Schema(type = "integer", minimum = "1", maximum = "1000", defaultValue = "100"))
                    @RequestParam(name = "limit", required = false)
                    @Nullable
                    String limit) {
        Page page = Page.of(after, limit);
        List<JobInfo> found = jobs.list(JobRequest.DEFAULT_QUEUE, stateOf(state), page.after(), page.limit());
        return page.answer(
                "/jobs?state=" + state + "&", found.stream().map(JobView::of).toList(), JobView::id);
    }

    private static JobState stateOf(@Nullable String word) {
        return Arrays.stream(JobState.values())
                .filter(state -> JobView.word(state).equals(word))
                .findFirst()
                .orElseThrow(() -> ProblemException.invalid("state", "must be ready, running or dead"));
    }

    @Operation(operationId = "requeueJob", summary = "Let a dead job be run again, with all its attempts before it")
    @MayAnswer({ProblemType.JOB_NOT_FOUND, ProblemType.JOB_NOT_DEAD, ProblemType.JOB_REPLACED})
    @PostMapping("/jobs/{id}/requeue")
    JobView requeue(@PathVariable Id id) {
        JobInfo before = jobs.find(id.value()).orElseThrow(() -> missing(id));
        Requeue result = jobs.requeue(id.value());
        if (result instanceof Requeue.NotDead notDead) {
            String state = JobView.word(notDead.state());
            throw new ProblemException(ProblemType.JOB_NOT_DEAD, "Job " + id.value() + " is " + state + ".")
                    .with("job", id.value())
                    .with("state", state);
        }
        if (result instanceof Requeue.KeyTaken) {
            throw new ProblemException(
                            ProblemType.JOB_REPLACED, "Another job has the unique key of job " + id.value() + ".")
                    .with("job", id.value());
        }
        if (result instanceof Requeue.Missing) {
            throw missing(id);
        }
        // A worker may have done it already, and then it is not there to be read any more.
        return jobs.find(id.value()).map(JobView::of).orElseGet(() -> JobView.requeued(before));
    }

    private static ProblemException missing(Id id) {
        return new ProblemException(ProblemType.JOB_NOT_FOUND, "There is no job " + id.value() + ", or it is done.")
                .with("job", id.value());
    }
}
