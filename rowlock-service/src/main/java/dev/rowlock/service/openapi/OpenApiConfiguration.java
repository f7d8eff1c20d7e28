package dev.rowlock.service.openapi;

import dev.rowlock.service.problem.ProblemType;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.media.ArraySchema;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.IntegerSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.ObjectSchema;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.OperationCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.method.HandlerMethod;

/** Describes the error answers; everything else is read off the controllers. */
@Configuration(proxyBeanMethods = false)
class OpenApiConfiguration {
    private static final String PROBLEM = "Problem";

    private static final List<ProblemType> ALWAYS = List.of(
            ProblemType.INVALID_REQUEST,
            ProblemType.NOT_ACCEPTABLE,
            ProblemType.LOCK_TIMEOUT,
            ProblemType.TOO_MANY_CONFLICTS,
            ProblemType.STATEMENT_TIMEOUT,
            ProblemType.DATABASE_UNAVAILABLE,
            ProblemType.INTERRUPTED,
            ProblemType.OUTCOME_UNKNOWN,
            ProblemType.INTERNAL_ERROR);

    private static final List<ProblemType> WITH_BODY =
            List.of(ProblemType.CONTENT_TOO_LARGE, ProblemType.UNSUPPORTED_MEDIA_TYPE);

    @Bean
    OpenAPI description() {
        return new OpenAPI()
                .info(new Info()
                        .title("Rowlock service")
                        .version("v1")
                        .description(
                                "Wallets and products whose rows stay right under any number of concurrent writers."
                                        + " Amounts are whole numbers in minor units, up to 2^53-1."
                                        + " Every error is an RFC 9457 problem with a stable type."))
                .components(new Components().addSchemas(PROBLEM, problem()));
    }

    private static Schema<?> problem() {
        Schema<?> error =
                new ObjectSchema().addProperty("field", new StringSchema()).addProperty("message", new StringSchema());
        Schema<?> problem = new ObjectSchema()
                .addProperty("type", new StringSchema().format("uri"))
                .addProperty("title", new StringSchema())
                .addProperty("status", new IntegerSchema())
                .addProperty("detail", new StringSchema())
                .addProperty("instance", new StringSchema().format("uri-reference"))
                .addProperty("errors", new ArraySchema().items(error))
                .addProperty("incident", new StringSchema().description("finds an internal error in the log"));
        problem.setDescription("Problem details (RFC 9457); ids and current state are further members");
        problem.setRequired(List.of("type", "title", "status"));
        problem.setAdditionalProperties(true);
        return problem;
    }

    @Bean
    OperationCustomizer problemAnswers() {
        return OpenApiConfiguration::addProblems;
    }

    private static Operation addProblems(Operation operation, HandlerMethod handler) {
        @Nullable MayAnswer own = handler.getMethodAnnotation(MayAnswer.class);
        Stream<ProblemType> types = Stream.concat(
                Stream.concat(ALWAYS.stream(), operation.getRequestBody() == null ? Stream.of() : WITH_BODY.stream()),
                own == null ? Stream.of() : Arrays.stream(own.value()));
        Map<Integer, List<ProblemType>> byStatus =
                types.collect(Collectors.groupingBy(type -> type.status().value(), TreeMap::new, Collectors.toList()));
        byStatus.forEach((status, ofStatus) ->
                operation.getResponses().addApiResponse(Integer.toString(status), answer(status, ofStatus)));
        return operation;
    }

    private static ApiResponse answer(int status, List<ProblemType> types) {
        String description = types.stream()
                .map(type -> type.title() + " (" + type.uri() + ")")
                .collect(Collectors.joining("; "));
        ApiResponse answer = new ApiResponse()
                .description(description)
                .content(new Content()
                        .addMediaType(
                                "application/problem+json",
                                new MediaType().schema(new Schema<>().$ref("#/components/schemas/" + PROBLEM))));
        if (status == 503) {
            answer.addHeaderObject(
                    "Retry-After", new Header().description("seconds").schema(new IntegerSchema()));
        }
        return answer;
    }
}
