package dev.rowlock.cli;

import dev.rowlock.prover.scenario.Scenario;
import dev.rowlock.prover.scenario.ScenarioException;
import dev.rowlock.prover.scenario.Scenarios;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Finds and reads scenario files. */
final class ScenarioFiles {
    private ScenarioFiles() {}

    /**
     * The scenarios in these files, and in the files in these folders. All of them are read before the first is run, and every
     * wrong one is told.
     */
    static List<Scenario> read(List<Path> inputs) throws IOException {
        List<Scenario> scenarios = new ArrayList<>();
        List<String> wrong = new ArrayList<>();
        for (Path file : files(inputs)) {
            try {
                scenarios.add(Scenarios.read(file));
            } catch (ScenarioException e) {
                wrong.add(e.getMessage());
            }
        }
        if (!wrong.isEmpty()) {
            throw new Refusal(String.join("\n", wrong));
        }
        return scenarios;
    }

    private static List<Path> files(List<Path> inputs) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Path input : inputs) {
            if (!Files.isDirectory(input)) {
                files.add(input);
                continue;
            }
            try (Stream<Path> inside = Files.list(input)) {
                List<Path> found =
                        inside.filter(ScenarioFiles::isScenario).sorted().toList();
                if (found.isEmpty()) {
                    throw new Refusal("there is no .race or .spec file in " + input);
                }
                files.addAll(found);
            }
        }
        return files;
    }

    private static boolean isScenario(Path file) {
        return file.toString().endsWith(".race") || file.toString().endsWith(".spec");
    }
}
