package dev.rowlock.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/**
 * The program {@code rowlock}. Exit status: 0 done, 2 the request cannot be met as it stands and one line on stderr says
 * why, 1 anything unforeseen.
 */
@Command(
        name = "rowlock",
        mixinStandardHelpOptions = true,
        versionProvider = BuildInfo.Versions.class,
        description = "Safe concurrent writes on PostgreSQL.",
        footer = "%nIn a checkout, ./rowlock bench measures all this side by side with what people would use instead.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {ServeCommand.class, ProveCommand.class, WatchCommand.class})
public final class RowlockCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    private RowlockCommand() {}

    /**
     * Runs the command named by the arguments and ends the JVM with its exit status.
     *
     * @param args as typed
     */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new RowlockCommand())
                .setParameterExceptionHandler(RowlockCommand::refuseArguments)
                .setExecutionExceptionHandler(RowlockCommand::reportFailure);
    }

    /** A bare {@code rowlock} asks for nothing that could be done. */
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "no command given");
    }

    private static int refuseArguments(ParameterException refused, String[] args) {
        CommandLine command = refused.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        command.getErr().println("rowlock: " + Refusal.reason(refused) + " (see '" + name + " --help')");
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static int reportFailure(Exception failure, CommandLine command, ParseResult parsed) {
        if (failure instanceof Refusal) {
            command.getErr().println("rowlock: " + failure.getMessage());
            return command.getCommandSpec().exitCodeOnInvalidInput();
        }
        command.getErr().println("rowlock: this should not have happened");
        failure.printStackTrace(command.getErr());
        return command.getCommandSpec().exitCodeOnExecutionException();
    }
}
