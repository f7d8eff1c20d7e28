package dev.rowlock.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import dev.rowlock.prover.engine.Verdict;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which module may know which, and what may be done in one place only. This module sees all the others. */
class ArchitectureTest {
    private static final String SERVICE = "dev.rowlock.service..";
    private static final String WATCH = "dev.rowlock.watch..";
    private static final String SPRING = "dev.rowlock.spring..";
    private static final String PROVER = "dev.rowlock.prover..";
    private static final String JPA = "dev.rowlock.jpa..";
    private static final String CLI = "dev.rowlock.cli..";
    private static final JavaClasses CODE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.rowlock");

    /** The root package counts too, which a pattern such as {@code dev.rowlock.(**)} would leave out. */
    private static final SliceAssignment EACH_PACKAGE = new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return SliceIdentifier.of(type.getPackageName());
        }

        @Override
        public String getDescription() {
            return "packages of Rowlock";
        }
    };

    @Test
    void allModulesAreSeen() {
        assertThat(CODE.contain("dev.rowlock.service.ServiceApplication")).isTrue();
        assertThat(CODE.contain("dev.rowlock.cli.RowlockCommand")).isTrue();
        assertThat(CODE.contain("dev.rowlock.spring.RowlockProperties")).isTrue();
        assertThat(CODE.contain("dev.rowlock.watch.InterceptedDataSource")).isTrue();
        assertThat(CODE.contain("dev.rowlock.prover.engine.Explorer")).isTrue();
        assertThat(CODE.contain("dev.rowlock.jpa.JpaLocks")).isTrue();
        assertThat(CODE.contain("dev.rowlock.Rowlock")).isTrue();
    }

    @Test
    void coreKnowsNeitherServiceNorProgramNorFrameworks() {
        noClasses()
                .that()
                .resideInAPackage("dev.rowlock..")
                .and()
                .resideOutsideOfPackages(SERVICE, CLI, PROVER, WATCH, SPRING, JPA)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        SERVICE,
                        CLI,
                        PROVER,
                        WATCH,
                        SPRING,
                        JPA,
                        "org.springframework..",
                        "com.zaxxer..",
                        "picocli..",
                        "org.postgresql..")
                .allowEmptyShould(true)
                .check(CODE);
    }

    /** It must prove code that has never heard of Rowlock. */
    @Test
    void proverKnowsWatchAlone() {
        requireToKnow(PROVER, "dev.rowlock.prover", "dev.rowlock.watch");
    }

    /** Its users bring the rest: neither the service nor what proves or runs it. */
    @Test
    void starterKnowsCoreAndWatchAndPerhapsJpa() {
        noClasses()
                .that()
                .resideInAPackage(SPRING)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(SERVICE, CLI, PROVER)
                .check(CODE);
    }

    /** Spring Boot 3 and 4 have these classes in different packages, or come with another Jackson: one jar can use neither. */
    @Test
    void starterUsesNothingThatMovedBetweenSpringBoot3And4() {
        noClasses()
                .that()
                .resideInAPackage(SPRING)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "com.fasterxml.jackson..",
                        "tools.jackson..",
                        "org.springframework.boot.jdbc.autoconfigure..",
                        "org.springframework.boot.autoconfigure.jdbc..",
                        "org.springframework.boot.transaction..",
                        "org.springframework.boot.autoconfigure.transaction..",
                        "org.springframework.boot.webmvc..",
                        "org.springframework.boot.autoconfigure.web..",
                        "org.springframework.boot.micrometer..",
                        "org.springframework.boot.actuate.autoconfigure.metrics..",
                        "org.springframework.boot.actuate.autoconfigure.observation..")
                .check(CODE);
    }

    @Test
    void watchKnowsNoOtherModule() {
        requireToKnow(WATCH, "dev.rowlock.watch");
    }

    @Test
    void jpaKnowsTheBaseOfCoreAndWatch() {
        noClasses()
                .that()
                .resideInAPackage(JPA)
                .should()
                .dependOnClassesThat(DescribedPredicate.describe(
                        "more of Rowlock than that",
                        type -> type.getPackageName().startsWith("dev.rowlock")
                                && !Set.of("dev.rowlock", "dev.rowlock.watch", "dev.rowlock.jpa")
                                        .contains(type.getPackageName())))
                .check(CODE);
    }

    /** What is built on units of work stands alone on them. */
    @ParameterizedTest
    @ValueSource(strings = {"counter", "tree", "once", "jobs"})
    void eachBuildingBlockKnowsTheBaseAlone(String block) {
        String root = "dev.rowlock." + block;
        noClasses()
                .that()
                .resideInAPackage(root + "..")
                .should()
                .dependOnClassesThat(DescribedPredicate.describe(
                        "more of Rowlock than its base",
                        type -> type.getPackageName().startsWith("dev.rowlock.")
                                && !type.getPackageName().startsWith(root)))
                .check(CODE);
    }

    private static void requireToKnow(String module, String... roots) {
        noClasses()
                .that()
                .resideInAPackage(module)
                .should()
                .dependOnClassesThat(DescribedPredicate.describe(
                        "other modules of Rowlock",
                        type -> type.getPackageName().startsWith("dev.rowlock")
                                && Arrays.stream(roots).noneMatch(type.getPackageName()::startsWith)))
                .check(CODE);
    }

    /** Tests race; what runs in production must not need JUnit, which is an optional dependency. */
    @Test
    void onlyTheirOwnPackagesKnowJUnit() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.rowlock.prover.junit..", "dev.rowlock.watch.junit..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.junit..")
                .check(CODE);
    }

    /** "Proved" is said in one place. */
    @Test
    void onlyTheExplorerSaysProved() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("dev.rowlock.prover.engine.Explorer")
                .should()
                .callConstructor(Verdict.Proved.class)
                .check(CODE);
    }

    @Test
    void serviceDoesNotKnowTheProgram() {
        noClasses()
                .that()
                .resideInAPackage(SERVICE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(CLI, "picocli..", "io.zonky..")
                .check(CODE);
    }

    /** It is a user like any other: what it shows of locks it gets from the starter. */
    @Test
    void serviceKnowsCoreStarterJpaAndProver() {
        noClasses()
                .that()
                .resideInAPackage(SERVICE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(WATCH)
                .check(CODE);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().assignedFrom(EACH_PACKAGE).should().beFreeOfCycles().check(CODE);
    }

    @Test
    void oneClassAtMostSleeps() {
        assertThat(classesThatUse(target -> isMethod(target, Thread.class, "sleep")))
                .hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void oneClassAtMostReadsTheWallClock() {
        assertThat(classesThatUse(target -> isMethod(target, System.class, "currentTimeMillis")))
                .hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void oneClassAtMostMakesARandom() {
        assertThat(classesThatUse(target -> isMethod(target, Random.class, JavaConstructor.CONSTRUCTOR_NAME)))
                .hasSizeLessThanOrEqualTo(1);
    }

    private static boolean isMethod(CodeUnitAccessTarget target, Class<?> owner, String name) {
        return target.getOwner().isEquivalentTo(owner) && target.getName().equals(name);
    }

    private static Set<String> classesThatUse(Predicate<CodeUnitAccessTarget> target) {
        return CODE.stream()
                .flatMap(type -> type.getCodeUnitAccessesFromSelf().stream())
                .filter(access -> target.test(access.getTarget()))
                .map(access -> access.getOriginOwner().getFullName().replaceFirst("\\$.*", ""))
                .collect(Collectors.toSet());
    }
}
