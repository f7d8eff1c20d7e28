package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the guide and the README show of {@code prove} is what it prints, and nothing that it has is missing there. */
class ProveGuideTest {
    private static final String GUIDE = "docs/prove.md";
    private static final Pattern SESSION =
            Pattern.compile("(?m)^```console\\n\\$ \\./rowlock (prove .*)\\n((?s:.*?))\\$ echo \\$\\?\\n(\\d)\\n```$");

    private record Shown(String command, String output, int status) {
        @Override
        public String toString() {
            return command;
        }
    }

    private static String text(String file) {
        try {
            return Files.readString(Path.of("..", file)).replace("\r\n", "\n");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    static Stream<Shown> sessions() {
        return Stream.of(GUIDE, "README.md")
                .flatMap(file -> SESSION.matcher(text(file)).results())
                .map(found -> new Shown(found.group(1), found.group(2), Integer.parseInt(found.group(3))));
    }

    @Test
    void noSessionIsOverlooked() {
        long fences = Stream.of(GUIDE, "README.md")
                .flatMap(file -> text(file).lines())
                .filter("```console"::equals)
                .count();

        assertThat(sessions()).hasSize((int) fences).hasSizeGreaterThanOrEqualTo(6);
    }

    @ParameterizedTest
    @MethodSource("sessions")
    void outputAndStatusAreWhatIsShown(Shown shown) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command =
                RowlockCommand.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        ((ProveCommand) command.getSubcommands().get("prove").getCommand())
                .printTo(new Terminal(false, false, 100, true));
        List<String> arguments = new ArrayList<>(List.of("prove", "--url", TestPostgres.url()));
        Stream.of(shown.command().split(" "))
                .skip(1)
                .map(argument -> argument.startsWith("examples") ? "../" + argument : argument)
                .forEach(arguments::add);

        int status = command.execute(arguments.toArray(String[]::new));

        assertThat(err.toString()).isEmpty();
        assertThat(comparable(out.toString().replace("../examples", "examples")))
                .as(out.toString())
                .isEqualTo(comparable(shown.output()));
        assertThat(status).isEqualTo(shown.status());
    }

    /** The time is another one in each run, and the width of the table goes with it and with the names. */
    private static List<String> comparable(String output) {
        return output.lines()
                .map(line -> line.startsWith("scenario") || line.startsWith("examples")
                        ? line.replaceAll(" +", " ").replaceAll("\\d+(\\.\\d)? m?s$", "TIME")
                        : line)
                .toList();
    }

    @Test
    void everyOptionIsInTheGuide() {
        CommandLine prove = RowlockCommand.commandLine().getSubcommands().get("prove");

        assertThat(prove.getCommandSpec().options())
                .filteredOn(option -> !option.usageHelp() && !option.versionHelp())
                .extracting(OptionSpec::longestName)
                .isNotEmpty()
                .allSatisfy(name -> assertThat(text(GUIDE)).contains("\n| `" + name));
    }

    @Test
    void everyMemberOfTheJsonIsInTheGuide() {
        ProveJson findings = new ProveJson("PostgreSQL 18.4", "as-written");
        findings.add(ProveSamples.scenario("x.race"), ProveSamples.violated(), 1);
        String json = text(GUIDE).split("\n## JSON\n", -1)[1].split("\n## ", -1)[0];

        JsonNode object = new JsonMapper().readTree(findings.text()).get(0);

        assertThat(json.lines()
                        .filter(line -> line.startsWith("| `"))
                        .map(line -> line.replaceFirst("^\\| `(\\w+)`.*", "$1")))
                .containsExactlyElementsOf(object.propertyNames());
        for (String part : new String[] {"outcomes", "trace"}) {
            for (String member : object.get(part).get(0).propertyNames()) {
                assertThat(json).as(part).containsPattern("(?m)^\\| `" + part + "`.*`" + member + "`");
            }
        }
    }
}
