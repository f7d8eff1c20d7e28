package dev.rowlock.service.request;

import dev.rowlock.service.problem.ProblemException;
import dev.rowlock.service.problem.ProblemType;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.AbstractHttpMessageConverter;
import org.springframework.http.converter.HttpMessageNotWritableException;

/** Reads every request body that is a record; answers are written by Spring's own converter. */
final class StrictJsonConverter extends AbstractHttpMessageConverter<Object> {
    /** Far more than any request needs; what is longer is not read, announced or not. */
    static final int MAX_BODY_BYTES = 64 * 1024;

    private final RecordBinder binder;

    StrictJsonConverter(RecordBinder binder) {
        super(MediaType.APPLICATION_JSON, MediaType.parseMediaType("application/merge-patch+json"));
        this.binder = binder;
    }

    @Override
    protected boolean supports(Class<?> type) {
        return type.isRecord();
    }

    @Override
    public boolean canWrite(Class<?> type, @Nullable MediaType mediaType) {
        return false;
    }

    @Override
    protected Object readInternal(Class<?> type, HttpInputMessage input) throws IOException {
        byte[] body = input.getBody().readNBytes(MAX_BODY_BYTES + 1);
        if (body.length > MAX_BODY_BYTES) {
            throw new ProblemException(
                            ProblemType.CONTENT_TOO_LARGE, "A body may have up to " + MAX_BODY_BYTES + " bytes.")
                    .with("maxBytes", MAX_BODY_BYTES);
        }
        return binder.bind(body, type);
    }

    @Override
    protected void writeInternal(Object value, HttpOutputMessage output) {
        throw new HttpMessageNotWritableException("this converter only reads");
    }
}
