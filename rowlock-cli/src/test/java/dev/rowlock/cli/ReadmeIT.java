package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The README's HTTP examples, sent in their order to a service with an empty database, answer what the README says. */
class ReadmeIT {
    private static final Pattern EXAMPLE = Pattern.compile("(?m)^(curl .*)\\n# (\\d{3})(?: (.*))?$");
    private static final Pattern ADDRESS = Pattern.compile(" localhost:8080(\\S+)");
    private static final Pattern METHOD = Pattern.compile(" -X (\\S+)");
    private static final Pattern HEADER = Pattern.compile(" -H '([^:']+): ([^']+)'");
    private static final Pattern BODY = Pattern.compile(" -d '([^']+)'");
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(LIMIT).build();
    private final JsonMapper json = new JsonMapper();

    @Test
    void examplesAnswerWhatTheReadmeSays() throws Exception {
        List<MatchResult> examples = EXAMPLE.matcher(
                        Files.readString(Path.of("../README.md")).replace("\r\n", "\n"))
                .results()
                .toList();
        assertThat(examples).hasSizeGreaterThan(8);
        try (TempDataDir dataDir = TempDataDir.create();
                ServerProcess server = ServerProcess.start("--data-dir", dataDir.toString())) {
            for (MatchResult example : examples) {
                HttpResponse<String> answer =
                        client.send(request(server.baseUrl(), example.group(1)), BodyHandlers.ofString());
                assertThat(answer.statusCode())
                        .as(example.group(1) + " answered " + answer.body())
                        .isEqualTo(Integer.parseInt(example.group(2)));
                if (example.group(3) != null) {
                    requireMembers(example.group(1), json.readTree(example.group(3)), json.readTree(answer.body()));
                }
            }
        }
    }

    private static void requireMembers(String request, JsonNode promised, JsonNode answered) {
        promised.properties()
                .forEach(member -> assertThat(answered.get(member.getKey()))
                        .as(member.getKey() + " in the answer to " + request + ": " + answered)
                        .isEqualTo(member.getValue()));
    }

    private static HttpRequest request(String baseUrl, String curl) {
        String body = first(BODY, curl);
        String method = first(METHOD, curl);
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(baseUrl + first(ADDRESS, curl)))
                .timeout(LIMIT)
                .method(
                        !method.isEmpty() ? method : body.isEmpty() ? "GET" : "POST",
                        body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        HEADER.matcher(curl).results().forEach(header -> request.header(header.group(1), header.group(2)));
        return request.build();
    }

    private static String first(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? matcher.group(1) : "";
    }
}
