/* cli.h - commands as data.
 *
 * A command is one file that exports one `struct command`: the operation it calls, an example,
 * and how to print the result for a person. Its options are the fields of the operation's
 * request, so that parsing, --help, the man page and shell completion cannot disagree.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "base/term.h"
#include "doc/field.h"

struct op;         /* op/op.h */
struct op_context; /* op/context.h */

/* What a command prints with. */
struct view {
    struct term term;
    struct arena *arena;
    struct buf *out;
};

/* No operation has more request fields; a test holds it so. */
#define CLI_MAX_OPTIONS 64

/* Where in the work a group of commands belongs: the headings of help, in their order. */
enum cli_stage {
    CLI_BEFORE,
    CLI_DURING,
    CLI_AFTER,
    CLI_SETUP,
    CLI_STAGES,
};
extern const char *const cli_stage_titles[];

/* What help and the man page stint-GROUP(1) say of "price list", "price compare", ... together.
 */
struct command_group {
    const char *summary;
    enum cli_stage stage;
    bool first; /* on the first screen, which "stint" alone prints */
};

struct command {
    const char *name; /* "price list" */
    const struct op *op;
    struct command_group group; /* of the first command of a group; others have none */
    const char *about;          /* a line for each paragraph, wrapped when it is printed */
    const char *examples;       /* lines without the leading "stint " prompt sign */
    /* Write the result as a person reads it. */
    void (*print)(const struct view *view, const void *result);
    /* Does that go to standard error, since standard output is another program's? NULL:
     * never. */
    bool (*aside)(const void *result);
    /* Ask on the terminal for what no option gave; NULL when there is nothing to ask. */
    bool (*ask)(struct op_context *ctx, void *request, struct error *err);
    /* Run and show it by itself, when standard output is a terminal and no JSON is wanted;
     * NULL: it is run once and printed. */
    bool (*live)(struct op_context *ctx, const void *request, struct error *err);
};

/* A word that is no operation but has help like a command. */
struct command_word {
    const char *name, *usage, *summary, *about, *examples;
};

/* In the order of help: by stage, the commands of a group together. */
extern const struct command *const cli_commands[];
extern const size_t cli_command_count;
extern const struct command_word cli_words[];
extern const size_t cli_word_count;

/* A word that people type as a command, and what to type instead: a hint. */
struct cli_other_word {
    const char *word, *hint;
};
extern const struct cli_other_word cli_other_words[];
extern const size_t cli_other_word_count;

/* The same of options: `hint` is the option's name. */
extern const struct cli_other_word cli_other_options[];
extern const size_t cli_other_option_count;

/* The command of this name, and the first of the group of this name; NULL when there is none.
 */
const struct command *cli_find(struct str name);
const struct command *cli_find_group(struct str name);

/* The first word of its name; and whether it is the first command of the group with that name.
 */
struct str cli_group_name(const struct command *command);
bool cli_begins_group(const struct command *command);

/* Is the command at this place the first of its stage, where help has a heading? */
bool cli_begins_stage(size_t at);

/* Is it "GROUP" or "GROUP something"? */
bool cli_in_group(const struct command *command, struct str group);

/* Does it have the name of its group, with others in it: costs, besides costs trend? */
bool cli_leads_group(const struct command *command);

/* Options that every command takes. */
struct cli_globals {
    bool json, help;
    struct str config, catalog, prices, ledger, log;
};

extern const struct field_set cli_global_fields;

/* Does the command have an option of that name for something else? After the command it is the
 * command's; before it, that of all commands. */
bool cli_is_own_option(const struct command *command, const struct field *global);

/* A parsed command line. `command` is NULL when help was asked for, or a group named:
 * `help_for` then is what to explain, as cli_help takes it. */
struct cli_line {
    const struct command *command;
    struct str help_for;
    struct cli_globals globals;
    void *request; /* of the command's operation, filled in */
    bool answered; /* was a value given, so that nothing need be asked? */
    bool version;
    /* An option of ours among the words of the command that is to be run, which gets it. */
    struct str misplaced;
};

bool cli_parse(int argc, char **argv, struct arena *arena, struct cli_line *out,
               struct error *err) MUST_USE;

/* The program without the process: returns the exit status. Output goes to the
 * descriptors 1 and 2. */
int cli_main(int argc, char **argv, const struct alloc *alloc);

/* Help text: the first screen for "", every command for "--all",
 * the page of all commands for "--markdown", a group, or a command with those
 * of its group. False when there is no such thing. */
bool cli_help(struct str what, const struct term *term, struct buf *out,
              struct error *err) MUST_USE;

/* "stint price list GPU [options]", "stint run [options] [--] COMMAND...". */
void cli_usage_line(const struct command *command, struct buf *out);

/* The option's name as typed, with its value: "--max-price PRICE"; and the word alone. */
void cli_option_name(const struct field *field, bool with_value, struct buf *out);
void cli_option_word(const struct field *field, struct buf *out);

/* The values that may be typed, if there are only a few. */
void cli_choices(const struct field *field, const char *separator, struct buf *out);

/* A man page in mdoc: `what` is "" for stint(1), a group for stint-GROUP(1). */
bool cli_man(struct str what, struct buf *out, struct error *err) MUST_USE;

/* Writes stint.1 and the page of every group to the folder, which is made. */
bool cli_man_pages(const char *folder, struct arena *arena, struct error *err) MUST_USE;

/* A completion script for bash, zsh or fish. */
bool cli_completion(struct str shell, struct buf *out, struct error *err) MUST_USE;

/* Every command's name, for suggestions: the best match for what was typed. */
bool cli_unknown_command(struct str typed, struct error *err);

#endif
