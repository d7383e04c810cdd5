#include "cli/commands.h"

const struct command *const cli_commands[] = {
#define OPERATION(name, op_file, cli_file) &cmd_##name,
#define COMMAND(name, cli_file) &cmd_##name,
#include "op/operations.def"
};
const size_t cli_command_count = ARRAY_LEN(cli_commands);

const char *const cli_stage_titles[] = {
    [CLI_BEFORE] = "Before you run",
    [CLI_DURING] = "While it runs",
    [CLI_AFTER] = "After it ran",
    [CLI_SETUP] = "Facts and setup",
};

/* Not operations: they explain or set up the program itself. */
const struct command_word cli_words[] = {
    {"help", "stint help [COMMAND | --all]", "explain Stint, a group or one command",
     "Without a command: the commands to know first. With --all: every command. A group such "
     "as price lists its commands; price list lists its options.",
     "stint help --all\nstint help price\nstint help price list"},
    {"completion", "stint completion SHELL", "print a completion script for bash, zsh or fish",
     "Prints the script with which a shell completes commands, options, and the values of "
     "options that have only a few.",
     "stint completion bash >~/.local/share/bash-completion/completions/stint"},
    {"call", "stint call OPERATION [REQUEST] [--reply-fd=N] [--text]",
     "run an operation by its name, with JSON in and out",
     "Runs one operation in its own process, like stint_call() of the library, for programs "
     "that use Stint. REQUEST is a JSON object with a key for each option; 'stint schema' "
     "lists operations and their keys. The reply is one line of JSON on standard output, or on "
     "the descriptor N: the result, or the error. Commands started by 'run', 'attach', 'watch' "
     "or 'tune' keep standard output, so use --reply-fd there. With --text, standard output "
     "has the result as the command prints it.",
     "stint call price.compare '{\"gpu\": \"H100x8\", \"hours\": 24}'\n"
     "stint call run '{\"command\": [\"python\", \"train.py\"]}' --reply-fd=3 3>result.json"},
};
const size_t cli_word_count = ARRAY_LEN(cli_words);

const struct command *cli_find(struct str name)
{
    for (size_t i = 0; i < cli_command_count; i++)
        if (str_eq(str_from(cli_commands[i]->name), name))
            return cli_commands[i];
    return NULL;
}

const struct command *cli_find_group(struct str name)
{
    for (size_t i = 0; i < cli_command_count; i++)
        if (cli_begins_group(cli_commands[i]) && str_eq(cli_group_name(cli_commands[i]), name))
            return cli_commands[i];
    return NULL;
}

struct str cli_group_name(const struct command *command)
{
    struct str name = str_from(command->name);

    return str_cut(&name, ' ');
}

bool cli_begins_group(const struct command *command)
{
    return command->group.summary != NULL;
}

bool cli_begins_stage(size_t at)
{
    size_t before = at;

    if (!cli_begins_group(cli_commands[at]))
        return false;
    while (before > 0 && !cli_begins_group(cli_commands[--before]))
        ;
    return at == 0 || cli_commands[before]->group.stage != cli_commands[at]->group.stage;
}

bool cli_leads_group(const struct command *command)
{
    for (size_t i = 0; i < cli_command_count; i++)
        if (cli_commands[i] != command &&
            cli_in_group(cli_commands[i], str_from(command->name)))
            return true;
    return false;
}

bool cli_in_group(const struct command *command, struct str group)
{
    return str_eq(cli_group_name(command), group);
}
