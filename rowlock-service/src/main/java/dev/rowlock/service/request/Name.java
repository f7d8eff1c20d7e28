package dev.rowlock.service.request;

import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A name that people can see and the database can hold. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
@Constraint(validatedBy = Name.Check.class)
public @interface Name {
    /** Characters as the database counts them: code points. */
    int MAX_LENGTH = 200;

    /** What to say of one that is none. */
    String message() default
            "must have from 1 to " + MAX_LENGTH + " characters, no control characters among them, and not be blank";

    /** See {@link Constraint}. */
    Class<?>[] groups() default {};

    /** See {@link Constraint}. */
    Class<? extends Payload>[] payload() default {};

    /** Checks the name. */
    final class Check implements ConstraintValidator<Name, String> {
        /** Cs are surrogates without their other half, which no encoding can hold. */
        private static final Pattern ALLOWED = Pattern.compile("[^\\p{Cc}\\p{Cs}]{1," + MAX_LENGTH + "}");

        private static final Pattern VISIBLE = Pattern.compile("[^\\p{Z}\\p{Cc}\\p{Cf}]");

        @Override
        public boolean isValid(@Nullable String name, ConstraintValidatorContext context) {
            return name == null
                    || (ALLOWED.matcher(name).matches() && VISIBLE.matcher(name).find());
        }
    }
}
