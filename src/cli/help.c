/* Help text: derived from the commands and the fields of their operations. */
#include <string.h>

#include "cli/cli.h"
#include "cli/view.h"
#include "op/op.h"

#define LEFT 24  /* columns for the name of an option or command */
#define FIRST 14 /* on the first screen, which has single words */

/* Words that may be given more than once; those of another program are shown otherwise. */
static bool several(const struct field *field)
{
    return field->type == FIELD_TEXTS && !field->whole;
}

void cli_option_name(const struct field *field, bool with_value, struct buf *out)
{
    if (!field->operand)
        buf_adds(out, "--");
    for (const char *c = field->operand ? "" : field->name; *c != '\0'; c++)
        buf_char(out, *c == '_' ? '-' : *c);
    if (field->operand)
        buf_addf(out, "%s%s", field->value, several(field) ? "..." : "");
    else if (with_value && field->type != FIELD_FLAG)
        buf_addf(out, " %s", field->value);
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
    if (left.failed != ERROR_NONE || right.failed != ERROR_NONE)
        out->failed = ERROR_MEMORY;
    two_columns(buf_text(&left), buf_text(&right), out);
    buf_free(&left);
    buf_free(&right);
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

/* Is it called as its group is, with others in it: costs, beside costs trend? */
static bool leads_group(const struct command *command)
{
    for (size_t i = 0; i < cli_command_count; i++)
        if (cli_commands[i] != command &&
            cli_in_group(cli_commands[i], str_from(command->name)))
            return true;
    return false;
}

static void command_help(const struct command *command, const struct term *term,
                         struct buf *out)
{
    const struct field_set *set = command->op->request;

    buf_adds(out, "usage: ");
    cli_usage_line(command, out);
    buf_addf(out, "\n\n%s\n", command->about);
    if (leads_group(command)) {
        heading(term, "more commands", out);
        group_commands(str_from(command->name), command, out);
    }
    if (set->len > 0)
        heading(term, "options", out);
    for (size_t i = 0; i < set->len; i++)
        option_line(&set->at[i], out);
    heading(term, "options of every command", out);
    for (size_t i = 0; i < cli_global_fields.len; i++)
        option_line(&cli_global_fields.at[i], out);
    heading(term, "examples", out);
    indented(command->examples, out);
}

static void group_help(const struct command_group *group, const struct term *term,
                       struct buf *out)
{
    buf_addf(out, "usage: stint %s COMMAND [options]\n\n%s\n", group->name, group->summary);
    heading(term, "commands", out);
    group_commands(str_from(group->name), NULL, out);
    heading(term, "example", out);
    for (size_t i = 0; i < cli_command_count; i++)
        if (cli_in_group(cli_commands[i], str_from(group->name))) {
            indented(cli_commands[i]->examples, out);
            break;
        }
}

static void word_help(const struct command_word *word, const struct term *term, struct buf *out)
{
    buf_addf(out, "usage: %s\n\n%s\n", word->usage, word->about);
    heading(term, "examples", out);
    indented(word->examples, out);
}

/* What a newcomer needs. */
static void first_screen(const struct term *term, struct buf *out)
{
    buf_adds(out, "Stint prices, plans, runs and accounts for machine-learning jobs.\n\n");
    for (size_t stage = 0; stage < CLI_STAGES; stage++) {
        title(term, cli_stage_titles[stage], out);
        for (size_t i = 0; i < cli_group_count; i++)
            if (cli_groups[i].first && cli_groups[i].stage == stage)
                columns_at(FIRST, str_from(cli_groups[i].name), str_from(cli_groups[i].summary),
                           out);
    }
    buf_adds(out, "\nstint help COMMAND explains one; stint help --all lists all.\n");
}

static void all_commands(const struct term *term, struct buf *out)
{
    buf_adds(out, "usage: stint COMMAND [options]\n");
    for (size_t stage = 0; stage < CLI_STAGES; stage++) {
        heading(term, cli_stage_titles[stage], out);
        for (size_t i = 0; i < cli_group_count; i++)
            if (cli_groups[i].stage == stage)
                group_commands(str_from(cli_groups[i].name), NULL, out);
    }
    for (size_t i = 0; i < cli_word_count; i++)
        two_columns(str_from(cli_words[i].name), str_from(cli_words[i].summary), out);
    buf_adds(out, "\nstint help COMMAND explains one; stint --version prints the version.\n"
                  "STINT_LOG=debug logs what a command does.\n");
}

bool cli_help(struct str what, const struct term *term, struct buf *out, struct error *err)
{
    if (what.len == 0 || str_eq(what, STR("--all"))) {
        (what.len == 0 ? first_screen : all_commands)(term, out);
        return true;
    }
    if (str_eq(what, STR("--markdown"))) {
        cli_reference(out);
        return true;
    }
    for (size_t i = 0; i < cli_word_count; i++)
        if (str_eq(str_from(cli_words[i].name), what)) {
            word_help(&cli_words[i], term, out);
            return true;
        }
    for (size_t i = 0; i < cli_command_count; i++)
        if (str_eq(str_from(cli_commands[i]->name), what)) {
            command_help(cli_commands[i], term, out);
            return true;
        }
    for (size_t i = 0; i < cli_group_count; i++)
        if (str_eq(str_from(cli_groups[i].name), what)) {
            group_help(&cli_groups[i], term, out);
            return true;
        }
    return cli_unknown_command(what, err);
}
