package dev.rowlock.service.request;

import jakarta.validation.Validator;
import jakarta.validation.constraints.NotNull;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.stereotype.Component;

/**
 * Makes a request record from a JSON object: each member must be a component of the record, of exactly its type, and satisfy its
 * constraints; nothing is converted. Unlike data binding, which stops at the first error, this names all of them at once.
 *
 * <p>A component is a {@link Long} or a {@link String}. With {@link NotNull} it must be there; without, it may be left out and
 * is then null. A JSON null is never accepted.
 */
@Component
final class RecordBinder {
    private final Validator validator;

    RecordBinder(Validator validator) {
        this.validator = validator;
    }

    <T> T bind(byte[] body, Class<T> type) {
        Findings findings = new Findings();
        Map<String, JsonValue> rest = new HashMap<>(JsonObjectReader.read(body, findings));
        RecordComponent[] components = type.getRecordComponents();
        @Nullable Object[] values = new @Nullable Object[components.length];
        for (int i = 0; i < components.length; i++) {
            values[i] = component(type, components[i], rest.remove(components[i].getName()), findings);
        }
        rest.keySet().stream().sorted().forEach(unknown -> findings.add(unknown, "is not known here"));
        findings.throwIfAny();
        return BeanUtils.instantiateClass(constructor(type, components), values);
    }

    private @Nullable Object component(
            Class<?> type, RecordComponent component, @Nullable JsonValue given, Findings findings) {
        String name = component.getName();
        boolean required = component.getAccessor().isAnnotationPresent(NotNull.class);
        if (given == null) {
            if (required) {
                findings.add(name, "is missing");
            }
            return null;
        }
        JsonValue.Kind wanted = component.getType() == String.class ? JsonValue.Kind.TEXT : JsonValue.Kind.WHOLE_NUMBER;
        if (given.kind() != wanted) {
            findings.add(
                    name, "must be " + wanted.words() + ", not " + given.kind().words());
            return null;
        }
        validator.validateValue(type, name, given.value()).stream()
                .map(violation -> violation.getMessage())
                .sorted()
                .forEach(message -> findings.add(name, message));
        return given.value();
    }

    private static <T> Constructor<T> constructor(Class<T> type, RecordComponent[] components) {
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            return type.getDeclaredConstructor(types);
        } catch (NoSuchMethodException e) {
            throw new AssertionError("every record has its canonical constructor", e);
        }
    }
}
