package dev.rowlock.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors of HTTP's own are problem details too. */
@AuditedService
class ProtocolErrorTest {
    private final TestService service = TestService.shared();

    @ParameterizedTest
    @ValueSource(
            strings = {"/", "/nothing", "/wallets/1/nothing", "/error", "/actuator/nothing", "/index.html", "/wallets/"
            })
    void unknownPathIsNotFound(String path) {
        service.get(path).isProblem(404, "not-found");
    }

    @Test
    void wrongMethodNamesTheRightOnes() {
        Answer answer =
                service.send("DELETE", "/products/1", BodyPublishers.noBody()).isProblem(405, "method-not-allowed");
        assertThat(List.of(answer.header("Allow").split(", *"))).contains("GET", "PUT", "PATCH");
        service.get("/transfers").isProblem(405, "method-not-allowed");
        service.send("TRACE", "/wallets", BodyPublishers.noBody()).isProblem(405, "method-not-allowed");
    }

    @Test
    void otherFormsThanJsonAreNotSupported() {
        for (String type : List.of(
                "text/plain",
                "application/x-www-form-urlencoded",
                "application/xml",
                "multipart/form-data",
                "nonsense")) {
            service.send("POST", "/wallets", BodyPublishers.ofString("{\"balance\":1}"), "Content-Type", type)
                    .isProblem(415, "unsupported-media-type");
        }
        service.send("POST", "/wallets", BodyPublishers.ofString("{\"balance\":1}"))
                .isProblem(415, "unsupported-media-type");
        service.send(
                        "PUT",
                        "/products/1",
                        BodyPublishers.ofString("name=x"),
                        "Content-Type",
                        "application/x-www-form-urlencoded")
                .isProblem(415, "unsupported-media-type");
    }

    @Test
    void errorsHaveTheirFormWhateverIsAccepted() {
        service.get("/wallets/1", "Accept", "text/html").isProblem(406, "not-acceptable");
        service.get("/wallets/1", "Accept", "nonsense").isProblem(406, "not-acceptable");
        service.get("/nothing", "Accept", "text/html").isProblem(404, "not-found");
        service.get("/wallets/x", "Accept", "application/json").isInvalid("id");
    }

    @Test
    void tooLongBodyIsRefusedWhetherAnnouncedOrNot() {
        String body = "{\"balance\":1" + " ".repeat(64 * 1024) + "}";
        service.post("/wallets", body).isProblem(413, "content-too-large");
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        service.send(
                        "POST",
                        "/wallets",
                        BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes)),
                        "Content-Type",
                        "application/json")
                .isProblem(413, "content-too-large");
        String atTheLimit = "{\"balance\":1" + " ".repeat(64 * 1024 - 13) + "}";
        assertThat(service.post("/wallets", atTheLimit).status()).isEqualTo(201);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /wallets/[1] HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                "GET /wallets/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                "GET /wallets/%00 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                "GET /wallets/%2F HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                "GET /wallets/1 HTTP/1.1\r\nConnection: close\r\n\r\n",
                "GET /wallets/1 HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n",
                "GET /wallets/1 HTTP/1.1\r\nHost: x\r\nBad Header: y\r\nConnection: close\r\n\r\n",
                "GET /wallets/1 HTTP/9.9\r\nHost: x\r\nConnection: close\r\n\r\n",
                "G@T /wallets/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                "GET /../wallets HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                "POST /wallets HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: -5\r\n\r\n",
                "POST /wallets HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\nzz\r\n",
                "nonsense\r\n\r\n"
            })
    void whatTomcatRefusesTellsNothingOfTheInside(String request) throws IOException {
        String answer = raw(request);
        assertThat(answer).matches("(?s)HTTP/1.1 (400|404|501|505) .*");
        assertThat(answer.toLowerCase(Locale.ROOT)).doesNotContain("exception", "apache", "java", "<html");
    }

    @Test
    void tooLongHeadersTellNothingOfTheInside() throws IOException {
        String answer = raw("GET /wallets/1 HTTP/1.1\r\nHost: x\r\nX: " + "x".repeat(20_000) + "\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 4").doesNotContain("xception", "apache", "<html");
    }

    private String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.port())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
