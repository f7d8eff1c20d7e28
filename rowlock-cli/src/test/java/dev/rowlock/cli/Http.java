package dev.rowlock.cli;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Requests with a limit on every wait. */
final class Http {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().connectTimeout(LIMIT).build();

    private Http() {}

    static HttpResponse<String> get(String url) throws IOException, InterruptedException {
        return CLIENT.send(request(url), BodyHandlers.ofString());
    }

    static CompletableFuture<HttpResponse<String>> getAsync(String url) {
        return CLIENT.sendAsync(request(url), BodyHandlers.ofString());
    }

    /** Any method, with a JSON body and further headers as name, value, name, value. */
    static CompletableFuture<HttpResponse<String>> sendAsync(
            String method, String url, String json, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url))
                .timeout(LIMIT)
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(json));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return CLIENT.sendAsync(request.build(), BodyHandlers.ofString());
    }

    private static HttpRequest request(String url) {
        return HttpRequest.newBuilder(URI.create(url)).timeout(LIMIT).build();
    }
}
