/* Help text: derived from the commands and the fields of their operations. */
#include <string.h>

#include "cli/cli.h"
#include "cli/view.h"
#include "op/op.h"

#define LEFT 24  /* columns for the name of an option or command */
#define FIRST 14 /* on the first screen, which has single words */
#define MARKDOWN_WIDTH 100

/* Words that may be given more than once; those of another program are shown otherwise. */
static bool several(const struct field *field)
{
    return field->type == FIELD_TEXTS && !field->whole;
}

void cli_option_word(const struct field *field, struct buf *out)
{
    for (const char *c = field->name; *c != '\0'; c++)
        buf_char(out, *c == '_' ? '-' : *c);
}

void cli_option_name(const struct field *field, bool with_value, struct buf *out)
{
    if (field->operand) {
        buf_addf(out, "%s%s", field->value, several(field) ? "..." : "");
        return;
    }
    buf_adds(out, "--");
    cli_option_word(field, out);
    if (with_value && field->type != FIELD_FLAG)
        buf_addf(out, " %s", field->value);
}

void cli_choices(const struct field *field, const char *separator, struct buf *out)
{
    for (size_t i = 0; field_choice(field, i) != NULL; i++)
        buf_addf(out, "%s%s", i > 0 ? separator : "", field_choice(field, i));
}

void cli_usage_line(const struct command *command, struct buf *out)
{
    const struct field_set *set = command->op->request;
    const struct field *words = NULL; /* of another program: nothing of ours may follow them */

    buf_addf(out, "stint %s", command->name);
    for (size_t i = 0; i < set->len; i++) {
        if (set->at[i].operand && set->at[i].whole)
            words = &set->at[i];
        else if (set->at[i].operand)
            buf_addf(out, set->at[i].required ? " %s%s" : " [%s%s]", set->at[i].value,
                     several(&set->at[i]) ? "..." : "");
    }
    for (size_t i = 0; i < set->len; i++)
        if (set->at[i].required && !set->at[i].operand) {
            buf_char(out, ' ');
            cli_option_name(&set->at[i], true, out);
        }
    buf_adds(out, " [options]");
    if (words != NULL)
        buf_addf(out, " [--] %s...", words->value);
}

static void columns_at(size_t at, struct str left, struct str right, struct buf *out)
{
    size_t column = 2 + term_columns(left);

    buf_adds(out, "  ");
    buf_add(out, left);
    if (column + 2 > at) {
        buf_char(out, '\n');
        column = 0;
    }
    buf_pad(out, ' ', at - column);
    view_wrap(right, at, at, out);
    buf_char(out, '\n');
}

static void two_columns(struct str left, struct str right, struct buf *out)
{
    columns_at(LEFT, left, right, out);
}

static void option_line(const struct field *field, struct buf *out)
{
    struct buf left = buf_new(out->alloc, 256), right = buf_new(out->alloc, 1024);

    cli_option_name(field, true, &left);
    buf_adds(&right, field->help);
    if (field->required)
        buf_adds(&right, " (required)");
    else if (field->fallback != NULL)
        buf_addf(&right, " (default: %s)", field->fallback);
    two_columns(buf_text(&left), buf_text(&right), out);
    buf_free_part(&left, out);
    buf_free_part(&right, out);
}

static void title(const struct term *term, const char *text, struct buf *out)
{
    buf_addf(out, "%s%s%s\n", term_style_on(term, STYLE_BOLD), text,
             term_style_off(term, STYLE_BOLD));
}

static void heading(const struct term *term, const char *text, struct buf *out)
{
    buf_char(out, '\n');
    title(term, text, out);
}

/* The lines of `text`, indented. */
static void indented(const char *text, struct buf *out)
{
    struct str rest = str_from(text);

    while (rest.len > 0) {
        buf_adds(out, "  ");
        buf_add(out, str_cut(&rest, '\n'));
        buf_char(out, '\n');
    }
}

/* The commands of a group but `except`, one line each. */
static void group_commands(struct str group, const struct command *except, struct buf *out)
{
    for (size_t i = 0; i < cli_command_count; i++)
        if (cli_commands[i] != except && cli_in_group(cli_commands[i], group))
            two_columns(str_from(cli_commands[i]->name), str_from(cli_commands[i]->op->summary),
                        out);
}

static void command_help(const struct command *command, const struct term *term,
                         struct buf *out)
{
    const struct field_set *set = command->op->request;

    buf_adds(out, "usage: ");
    cli_usage_line(command, out);
    buf_adds(out, "\n\n");
    term_wrap_lines(str_from(command->about), view_width(term), out);
    if (cli_leads_group(command)) {
        heading(term, "more commands", out);
        group_commands(str_from(command->name), command, out);
    }
    if (set->len > 0)
        heading(term, "options", out);
    for (size_t i = 0; i < set->len; i++)
        option_line(&set->at[i], out);
    heading(term, "options of every command", out);
    for (size_t i = 0; i < cli_global_fields.len; i++)
        if (!cli_is_own_option(command, &cli_global_fields.at[i]))
            option_line(&cli_global_fields.at[i], out);
    heading(term, "examples", out);
    indented(command->examples, out);
}

/* Of the group that begins with this command. */
static void group_help(const struct command *command, const struct term *term, struct buf *out)
{
    struct str name = cli_group_name(command);

    buf_addf(out, "usage: stint %.*s COMMAND [options]\n\n%s\n", STR_ARG(name),
             command->group.summary);
    heading(term, "commands", out);
    group_commands(name, NULL, out);
    heading(term, "example", out);
    indented(command->examples, out);
}

static void word_help(const struct command_word *word, const struct term *term, struct buf *out)
{
    buf_addf(out, "usage: %s\n\n", word->usage);
    term_wrap_lines(str_from(word->about), view_width(term), out);
    heading(term, "examples", out);
    indented(word->examples, out);
}

/* What a newcomer needs. */
static void first_screen(const struct term *term, struct buf *out)
{
    buf_adds(out, "Stint prices, plans, runs and accounts for machine-learning jobs.\n\n");
    for (size_t stage = 0; stage < CLI_STAGES; stage++) {
        title(term, cli_stage_titles[stage], out);
        for (size_t i = 0; i < cli_command_count; i++)
            if (cli_commands[i]->group.first && cli_commands[i]->group.stage == stage)
                columns_at(FIRST, cli_group_name(cli_commands[i]),
                           str_from(cli_commands[i]->group.summary), out);
    }
    buf_adds(out, "\nstint help COMMAND explains one; stint help --all lists all.\n");
}

static void all_commands(const struct term *term, struct buf *out)
{
    buf_adds(out, "usage: stint COMMAND [options]\n");
    for (size_t i = 0; i < cli_command_count; i++) {
        if (cli_begins_stage(i))
            heading(term, cli_stage_titles[cli_commands[i]->group.stage], out);
        two_columns(str_from(cli_commands[i]->name), str_from(cli_commands[i]->op->summary),
                    out);
    }
    for (size_t i = 0; i < cli_word_count; i++)
        two_columns(str_from(cli_words[i].name), str_from(cli_words[i].summary), out);
    buf_adds(out,
             "\nstint help COMMAND explains one; stint --version prints the version.\n"
             "STINT_LOG=debug logs what a command reads and chooses, with its steps' times.\n");
}

/* ---- the page of all commands in Markdown (docs/reference/commands.md) ----
 *
 * Options are left to --help and the man pages, which are of the version that is installed. */

/* Text in Markdown: what would be emphasis, code, a link, HTML or a formula is not. */
static void markdown_text(struct str text, struct buf *out)
{
    for (size_t i = 0; i < text.len; i++) {
        if (strchr("\\`*_[<$|", text.at[i]) != NULL)
            buf_char(out, '\\');
        buf_char(out, text.at[i]);
    }
}

/* Paragraphs of text, with an empty line after them. */
static void markdown_paragraphs(struct str text, struct buf *out)
{
    struct buf escaped = buf_new(out->alloc, BUF_MAX_OUTPUT);

    markdown_text(text, &escaped);
    term_wrap_lines(buf_text(&escaped), MARKDOWN_WIDTH, out);
    buf_char(out, '\n');
    buf_free_part(&escaped, out);
}

static void fence(struct str text, struct buf *out)
{
    buf_adds(out, "```\n");
    buf_add(out, text);
    buf_adds(out, "\n```\n\n");
}

static void introduction(struct buf *out)
{
    term_wrap_lines(
        STR("# Commands\n\n"
            "<!-- Made by: stint help --markdown >docs/reference/commands.md -->\n\n"
            "`stint help COMMAND` (or `stint COMMAND --help`) lists the options of a command, "
            "and so does its man page: `man stint-price` has all of `stint price`. A mistyped "
            "command or option gets a suggestion. An unknown price is `?`, never zero. Results "
            "go to standard output; notes, warnings and errors go to standard error, as "
            "text.\n\n"
            "Exit status: 0 done, 1 failed, 2 wrong usage, 3 bad input, 4 not found, 5 stopped "
            "by a guard, 6 does not fit or no plan, 130 stopped gracefully by Ctrl-C. "
            "SIGTERM and SIGHUP do the same, and end it as such signals do.\n\n"
            "Every command takes these options:\n\n"),
        MARKDOWN_WIDTH, out);
    for (size_t i = 0; i < cli_global_fields.len; i++) {
        buf_adds(out, "- `");
        cli_option_name(&cli_global_fields.at[i], true, out);
        buf_adds(out, "`: ");
        markdown_text(str_from(cli_global_fields.at[i].help), out);
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
    markdown_text(str_from(summary), out);
    buf_char(out, '\n');
}

static void contents(struct buf *out)
{
    for (size_t i = 0; i < cli_command_count; i++) {
        if (cli_begins_stage(i))
            buf_addf(out, "\n**%s**\n\n", cli_stage_titles[cli_commands[i]->group.stage]);
        link_line(cli_commands[i]->name, cli_commands[i]->op->summary, out);
    }
    for (size_t i = 0; i < cli_word_count; i++)
        link_line(cli_words[i].name, cli_words[i].summary, out);
    buf_char(out, '\n');
}

static void markdown_command(const struct command *command, struct buf *out)
{
    struct buf usage = buf_new(out->alloc, 1024);

    cli_usage_line(command, &usage);
    buf_addf(out, "### %s\n\n", command->name);
    fence(buf_text(&usage), out);
    markdown_paragraphs(str_from(command->about), out);
    fence(str_from(command->examples), out);
    buf_free_part(&usage, out);
}

static void markdown_word(const struct command_word *word, struct buf *out)
{
    buf_addf(out, "### %s\n\n", word->name);
    fence(str_from(word->usage), out);
    markdown_paragraphs(str_from(word->about), out);
    fence(str_from(word->examples), out);
}

static void markdown_page(struct buf *out)
{
    introduction(out);
    contents(out);
    for (size_t i = 0; i < cli_command_count; i++) {
        if (cli_begins_stage(i))
            buf_addf(out, "## %s\n\n", cli_stage_titles[cli_commands[i]->group.stage]);
        markdown_command(cli_commands[i], out);
    }
    for (size_t i = 0; i < cli_word_count; i++)
        markdown_word(&cli_words[i], out);
    while (out->len > 1 && out->at[out->len - 2] == '\n')
        out->len--; /* a file ends with one end of line */
}

bool cli_help(struct str what, const struct term *term, struct buf *out, struct error *err)
{
    const struct command *group = cli_find_group(what), *command = cli_find(what);

    if (what.len == 0 || str_eq(what, STR("--all"))) {
        (what.len == 0 ? first_screen : all_commands)(term, out);
        return true;
    }
    if (str_eq(what, STR("--markdown"))) {
        markdown_page(out);
        return true;
    }
    for (size_t i = 0; i < cli_word_count; i++)
        if (str_eq(str_from(cli_words[i].name), what)) {
            word_help(&cli_words[i], term, out);
            return true;
        }
    if (command == NULL && group == NULL)
        return cli_unknown_command(what, err);
    if (command != NULL)
        command_help(command, term, out);
    else
        group_help(group, term, out);
    return true;
}
