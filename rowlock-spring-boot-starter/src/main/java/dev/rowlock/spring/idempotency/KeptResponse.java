package dev.rowlock.spring.idempotency;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.ByteArrayOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What an attempt answers, held back until its transaction is committed: nothing of an attempt that is rolled back may reach the
 * client, headers included.
 */
final class KeptResponse extends HttpServletResponseWrapper {
    private final Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private int status = SC_OK;
    private @Nullable PrintWriter writer;

    KeptResponse(HttpServletResponse response) {
        super(response);
    }

    byte[] body() {
        if (writer != null) {
            writer.flush();
        }
        return body.toByteArray();
    }

    @Nullable
    String header(String name) {
        List<String> values = headers.get(name);
        return values == null ? null : values.get(0);
    }

    @Override
    public void setStatus(int code) {
        status = code;
    }

    @Override
    public int getStatus() {
        return status;
    }

    @Override
    public void sendError(int code) {
        sendError(code, "");
    }

    /** There is no body to keep, so the container's error page is left out. */
    @Override
    public void sendError(int code, String message) {
        status = code;
        body.reset();
    }

    @Override
    public void sendRedirect(String location) {
        status = SC_FOUND;
        setHeader("Location", location);
    }

    @Override
    public void setHeader(String name, @Nullable String value) {
        headers.remove(name);
        if (value != null) {
            headers.put(name, new ArrayList<>(List.of(value)));
        }
    }

    @Override
    public void addHeader(String name, String value) {
        headers.computeIfAbsent(name, first -> new ArrayList<>()).add(value);
    }

    @Override
    public void setIntHeader(String name, int value) {
        setHeader(name, Integer.toString(value));
    }

    @Override
    public void addIntHeader(String name, int value) {
        addHeader(name, Integer.toString(value));
    }

    @Override
    public boolean containsHeader(String name) {
        return headers.containsKey(name) || super.containsHeader(name);
    }

    @Override
    public @Nullable String getHeader(String name) {
        String own = header(name);
        return own == null ? super.getHeader(name) : own;
    }

    @Override
    public Collection<String> getHeaders(String name) {
        List<String> own = headers.get(name);
        return own == null ? super.getHeaders(name) : List.copyOf(own);
    }

    @Override
    public Collection<String> getHeaderNames() {
        List<String> names = new ArrayList<>(headers.keySet());
        super.getHeaderNames().stream()
                .filter(name -> !headers.containsKey(name))
                .forEach(names::add);
        return names;
    }

    @Override
    public void setContentType(@Nullable String type) {
        setHeader("Content-Type", type);
    }

    @Override
    public @Nullable String getContentType() {
        return header("Content-Type");
    }

    @Override
    public void setCharacterEncoding(String charset) {
        String type = getContentType();
        if (type != null && !type.toLowerCase(Locale.ROOT).contains("charset=")) {
            setContentType(type + ";charset=" + charset);
        }
    }

    @Override
    public void setContentLength(int length) {
        // Known when it is let go.
    }

    @Override
    public void setContentLengthLong(long length) {
        // Known when it is let go.
    }

    @Override
    public ServletOutputStream getOutputStream() {
        return new ServletOutputStream() {
            @Override
            public void write(int b) {
                body.write(b);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) {
                body.write(bytes, offset, length);
            }

            @Override
            public boolean isReady() {
                return true;
            }

            @Override
            public void setWriteListener(WriteListener listener) {
                throw new IllegalStateException("an answer that is to be kept is written at once");
            }
        };
    }

    @Override
    public PrintWriter getWriter() {
        if (writer == null) {
            writer = new PrintWriter(new OutputStreamWriter(getOutputStream(), StandardCharsets.UTF_8));
        }
        return writer;
    }

    @Override
    public void flushBuffer() {
        // Nothing is sent before the commit.
    }

    @Override
    public boolean isCommitted() {
        return false;
    }

    @Override
    public void reset() {
        headers.clear();
        status = SC_OK;
        resetBuffer();
    }

    @Override
    public void resetBuffer() {
        body.reset();
        writer = null;
    }
}
