/* The page of all commands in Markdown (docs/commands.md), from the same tables as --help. Options
 * are left to --help and the man pages, which are of the version that is installed. */
#include <string.h>

#include "cli/cli.h"
#include "op/op.h"

/* Text in Markdown: what would be emphasis, code, a link, HTML or a formula is not. */
static void escape(struct str text, struct buf *out)
{
    for (size_t i = 0; i < text.len; i++) {
        if (strchr("\\`*_[<$|", text.at[i]) != NULL)
            buf_char(out, '\\');
        buf_char(out, text.at[i]);
    }
}

static void fence(struct str text, struct buf *out)
{
    buf_adds(out, "```\n");
    buf_add(out, text);
    buf_adds(out, "\n```\n\n");
}

static void introduction(struct buf *out)
{
    buf_adds(
        out,
        "# Commands\n\n"
        "<!-- Made by: stint help --markdown >docs/commands.md -->\n\n"
        "`stint help COMMAND` (or `stint COMMAND --help`) lists the options of a command, and "
        "so\n"
        "does its man page: `man stint-price` has all of `stint price`. A mistyped command or\n"
        "option gets a suggestion. An unknown price is `?`, never zero. Results go to "
        "standard\n"
        "output; notes, warnings and errors go to standard error, as text.\n\n"
        "Exit status: 0 done, 1 failed, 2 wrong usage, 3 bad input, 4 not found, 5 stopped by "
        "a\n"
        "guard, 6 does not fit or no plan, 130 stopped in good order by Ctrl-C.\n\n"
        "Every command takes these options:\n\n");
    for (size_t i = 0; i < cli_global_fields.len; i++) {
        buf_adds(out, "- `");
        cli_option_name(&cli_global_fields.at[i], true, out);
        buf_adds(out, "`: ");
        escape(str_from(cli_global_fields.at[i].help), out);
        buf_char(out, '\n');
    }
}

/* "- [price list](#price-list): list machine prices". */
static void link_line(const char *name, const char *summary, struct buf *out)
{
    buf_addf(out, "- [%s](#", name);
    for (const char *c = name; *c != '\0'; c++)
        buf_char(out, *c == ' ' ? '-' : *c);
    buf_adds(out, "): ");
    escape(str_from(summary), out);
    buf_char(out, '\n');
}

static void contents(struct buf *out)
{
    for (size_t stage = 0; stage < CLI_STAGES; stage++) {
        buf_addf(out, "\n**%s**\n\n", cli_stage_titles[stage]);
        for (size_t g = 0; g < cli_group_count; g++)
            for (size_t i = 0; cli_groups[g].stage == stage && i < cli_command_count; i++)
                if (cli_in_group(cli_commands[i], str_from(cli_groups[g].name)))
                    link_line(cli_commands[i]->name, cli_commands[i]->op->summary, out);
    }
    for (size_t i = 0; i < cli_word_count; i++)
        link_line(cli_words[i].name, cli_words[i].summary, out);
    buf_char(out, '\n');
}

static void command_section(const struct command *command, struct buf *out)
{
    struct buf usage = buf_new(out->alloc, 1024);

    cli_usage_line(command, &usage);
    buf_addf(out, "### %s\n\n", command->name);
    fence(buf_text(&usage), out);
    escape(str_from(command->about), out);
    buf_adds(out, "\n\n");
    fence(str_from(command->examples), out);
    if (usage.failed != ERROR_NONE)
        out->failed = usage.failed;
    buf_free(&usage);
}

static void word_section(const struct command_word *word, struct buf *out)
{
    buf_addf(out, "### %s\n\n", word->name);
    fence(str_from(word->usage), out);
    escape(str_from(word->about), out);
    buf_adds(out, "\n\n");
    fence(str_from(word->examples), out);
}

void cli_reference(struct buf *out)
{
    introduction(out);
    contents(out);
    for (size_t stage = 0; stage < CLI_STAGES; stage++) {
        buf_addf(out, "## %s\n\n", cli_stage_titles[stage]);
        for (size_t g = 0; g < cli_group_count; g++)
            for (size_t i = 0; cli_groups[g].stage == stage && i < cli_command_count; i++)
                if (cli_in_group(cli_commands[i], str_from(cli_groups[g].name)))
                    command_section(cli_commands[i], out);
    }
    for (size_t i = 0; i < cli_word_count; i++)
        word_section(&cli_words[i], out);
    while (out->len > 1 && out->at[out->len - 2] == '\n')
        out->len--; /* a file ends with one end of line */
}
