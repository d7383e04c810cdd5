/* commands.h - every command, by the rows of op/operations.def. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/cli.h"

#define OPERATION(name, op_file, cli_file) extern const struct command cmd_##name;
#define COMMAND(name, cli_file) extern const struct command cmd_##name;
#include "op/operations.def"
#undef OPERATION
#undef COMMAND

#endif
