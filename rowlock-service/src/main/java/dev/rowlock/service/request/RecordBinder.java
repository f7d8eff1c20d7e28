package dev.rowlock.service.request;

import jakarta.validation.Validator;
import jakarta.validation.constraints.NotNull;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.core.ResolvableType;
import org.springframework.stereotype.Component;

/**
 * Makes a request record from a JSON object: each member must be a component of the record, of exactly its type, and satisfy its
 * constraints; nothing is converted. Unlike data binding, which stops at the first error, this names all of them at once.
 *
 * <p>A component is a {@link Long}, a {@link String} or a {@link List} of records of this kind. With {@link NotNull} it must be
 * there; without, it may be left out and is then null. A JSON null is never accepted.
 */
@Component
final class RecordBinder {
    private final Validator validator;

    RecordBinder(Validator validator) {
        this.validator = validator;
    }

    <T> T bind(byte[] body, Class<T> type) {
        Findings findings = new Findings();
        @Nullable Object[] values = components(type, "", JsonObjectReader.read(body, findings), findings);
        findings.throwIfAny();
        return make(type, values);
    }

    private static <T> T make(Class<T> type, @Nullable Object[] values) {
        return BeanUtils.instantiateClass(constructor(type, type.getRecordComponents()), values);
    }

    private @Nullable Object[] components(
            Class<?> type, String path, Map<String, JsonValue> members, Findings findings) {
        Map<String, JsonValue> rest = new HashMap<>(members);
        RecordComponent[] components = type.getRecordComponents();
        @Nullable Object[] values = new @Nullable Object[components.length];
        for (int i = 0; i < components.length; i++) {
            values[i] = component(type, path, components[i], rest.remove(components[i].getName()), findings);
        }
        rest.keySet().stream().sorted().forEach(unknown -> findings.add(path + unknown, "is not known here"));
        return values;
    }

    private @Nullable Object component(
            Class<?> type, String path, RecordComponent component, @Nullable JsonValue given, Findings findings) {
        String field = path + component.getName();
        boolean required = component.getAccessor().isAnnotationPresent(NotNull.class);
        if (given == null) {
            if (required) {
                findings.add(field, "is missing");
            }
            return null;
        }
        JsonValue.Kind wanted = kindOf(component);
        if (given.kind() != wanted) {
            findings.add(
                    field, "must be " + wanted.words() + ", not " + given.kind().words());
            return null;
        }
        Object value = given.value() instanceof List<?> list
                ? elements(elementType(component), field, list, findings)
                : given.value();
        validator.validateValue(type, component.getName(), value).stream()
                .map(violation -> violation.getMessage())
                .sorted()
                .forEach(message -> findings.add(field, message));
        return value;
    }

    /** As many elements as were given, so that their number can be judged; null for those that are no good. */
    private List<@Nullable Object> elements(Class<?> type, String field, List<?> given, Findings findings) {
        List<@Nullable Object> elements = new ArrayList<>();
        for (Object element : given) {
            String path = field + "[" + elements.size() + "]";
            if (element instanceof JsonValue json && json.value() instanceof Map<?, ?> members) {
                elements.add(element(type, path, members, findings));
            } else {
                findings.add(path, "must be an object");
                elements.add(null);
            }
        }
        return elements;
    }

    private @Nullable Object element(Class<?> type, String path, Map<?, ?> given, Findings findings) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        given.forEach((name, value) -> members.put((String) name, (JsonValue) value));
        int before = findings.count();
        @Nullable Object[] values = components(type, path + ".", members, findings);
        return findings.count() > before ? null : make(type, values);
    }

    private static JsonValue.Kind kindOf(RecordComponent component) {
        Class<?> type = component.getType();
        return type == String.class
                ? JsonValue.Kind.TEXT
                : type == List.class ? JsonValue.Kind.LIST : JsonValue.Kind.WHOLE_NUMBER;
    }

    private static Class<?> elementType(RecordComponent component) {
        return ResolvableType.forType(component.getGenericType()).getGeneric(0).toClass();
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
