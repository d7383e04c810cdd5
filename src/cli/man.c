/* Man pages in mdoc, from the same tables as --help. */
#include <string.h>

#include "base/characters.h"
#include "base/fs.h"
#include "cli/cli.h"
#include "op/job_source.h"
#include "op/op.h"
#include "settings/settings.h"

/* Text in mdoc: a line must not start with a dot or quote, and a backslash is an escape. */
static void escape(struct str text, struct buf *out)
{
    bool broken = false;

    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];

        if ((i == 0 || text.at[i - 1] == '\n' || broken) && (c == '.' || c == '\''))
            buf_adds(out, "\\&");
        broken = false;
        if (c == ' ' && i > 0 && text.at[i - 1] == '.') {
            buf_char(out, '\n'); /* mdoc wants every sentence on a line of its own */
            broken = true;
            continue;
        }
        if (c == '\\')
            buf_adds(out, "\\e");
        else if (c == '-')
            buf_adds(out, "\\-");
        else
            buf_char(out, c);
    }
}

static void paragraph(const char *text, struct buf *out)
{
    struct str rest = str_from(text);

    while (rest.len > 0) {
        struct str line = str_cut(&rest, '\n');

        if (line.len == 0)
            buf_adds(out, ".Pp"); /* an empty line is no good mdoc */
        escape(line, out);
        buf_char(out, '\n');
    }
}

static void page_head(const char *title, const char *name, const char *section,
                      const char *about, struct buf *out)
{
    buf_adds(out, ".Dd November 15, 2026\n.Dt ");
    for (const char *c = title; *c != '\0'; c++)
        buf_char(out, to_upper(*c));
    buf_addf(out, " %s\n.Os\n.Sh NAME\n.Nm %s\n.Nd ", section, name);
    paragraph(about, out);
}

static void option_item(const struct field *field, struct buf *out)
{
    struct buf name = buf_new(out->alloc, 256);

    cli_option_name(field, true, &name);
    buf_adds(out, ".It ");
    escape(buf_text(&name), out);
    buf_char(out, '\n');
    escape(str_from(field->help), out);
    buf_adds(out, ".\n");
    if (field->fallback != NULL)
        buf_addf(out, "The default is %s.\n", field->fallback);
    buf_free_part(&name, out);
}

static void option_list(const struct field_set *set, struct buf *out)
{
    if (set->len == 0)
        return;
    buf_adds(out, ".Bl -tag -width Ds\n");
    for (size_t i = 0; i < set->len; i++)
        option_item(&set->at[i], out);
    buf_adds(out, ".El\n");
}

static void command_section(const struct command *command, struct buf *out)
{
    struct buf usage = buf_new(out->alloc, 1024);

    cli_usage_line(command, &usage);
    buf_adds(out, ".Ss ");
    escape(buf_text(&usage), out);
    buf_char(out, '\n');
    paragraph(command->about, out);
    option_list(command->op->request, out);
    buf_adds(out, "For example:\n.Bd -literal -offset indent\n");
    paragraph(command->examples, out);
    buf_adds(out, ".Ed\n");
    buf_free_part(&usage, out);
}

static void page_foot(struct buf *out)
{
    buf_adds(
        out,
        ".Sh EXIT STATUS\n"
        "0 for success, 1 for failure, 2 for a wrong command line, 3 for bad input, 4 when\n"
        "nothing was found, 5 when a guard stopped it, 6 when a job does not fit or has no\n"
        "plan, 130 when Ctrl\\-C stopped it gracefully.\n");
}

static void environment(struct buf *out)
{
    buf_adds(out, ".Sh ENVIRONMENT\nEach overrides the setting in the configuration file.\n"
                  ".Bl -tag -width Ds\n");
    for (size_t i = 0; i < settings_fields.len; i++) {
        char name[SETTINGS_ENV_MAX];

        settings_env_name(&settings_fields.at[i], name);
        buf_addf(out, ".It Ev %s\n", name);
        escape(str_from(settings_fields.at[i].help), out);
        buf_adds(out, ".\n");
    }
    buf_adds(out,
             ".It Ev STINT_CONFIG\n"
             "The configuration file.\n"
             ".It Ev STINT_LOG\n"
             "How much to log to standard error: off, warn, info or debug (files that are\n"
             "read, prices that are chosen, rules that are applied, the time of each step).\n"
             ".It Ev STINT_PARTS\n"
             "The folder of the loadable parts.\n"
             ".It Ev STINT_NOW\n"
             "The current time to assume, for repeatable output: a day or\n"
             "2026\\-11\\-15T10:00:00Z.\n"
             ".It Ev STINT_ROOT\n"
             "Prefix of /proc and /sys for meters: for tests.\n"
             ".It Ev NO_COLOR\n"
             "No color on the terminal.\n"
             ".El\n");
}

/* Every command, by stage of the work. */
static void command_list(struct buf *out)
{
    for (size_t i = 0; i < cli_command_count; i++) {
        const struct command *command = cli_commands[i];

        if (cli_begins_stage(i))
            buf_addf(out, "%s.Ss %s\n.Bl -tag -width Ds\n", i > 0 ? ".El\n" : "",
                     cli_stage_titles[command->group.stage]);
        buf_addf(out, ".It Nm stint %s\n", command->name);
        escape(str_from(command->op->summary), out);
        buf_adds(out, ".\nSee\n.Xr stint-");
        escape(cli_group_name(command), out);
        buf_adds(out, " 1 .\n");
    }
    for (size_t i = 0; i < cli_word_count; i++)
        buf_addf(out, ".It Nm stint %s\n%s.\n", cli_words[i].name, cli_words[i].summary);
    buf_adds(out, ".El\n");
}

static void main_page(struct buf *out)
{
    page_head("stint", "stint", "1", "price, plan, run and account for machine-learning jobs",
              out);
    buf_adds(out,
             ".Sh SYNOPSIS\n.Nm\n.Ar command\n.Op options\n.Sh DESCRIPTION\n"
             "Stint estimates what a job needs and costs, finds the cheapest way to run it,\n"
             "meters it while it runs, and shows where the money went.\n");
    command_list(out);
    buf_adds(out, ".Ss Options of every command\n");
    option_list(&cli_global_fields, out);
    environment(out);
    buf_adds(out, ".Sh FILES\n.Bl -tag -width Ds\n.It Pa $XDG_CONFIG_HOME/stint/config.yaml\n"
                  "The configuration, which\n.Nm stint init\nwrites.\n"
                  ".It Pa $XDG_CONFIG_HOME/stint/catalog/\nYour own facts and prices.\n"
                  ".It Pa $XDG_CACHE_HOME/stint/prices.db\nPrices and their history, "
                  "fetched and imported.\n.El\n");
    page_foot(out);
}

/* The keys of a record, those of records inside it with a dot. */
static void job_keys(const struct field_set *set, const char *before, struct buf *out)
{
    for (size_t i = 0; i < set->len; i++) {
        const struct field *field = &set->at[i];
        char name[96];

        (void)snprintf(name, sizeof name, "%s%s", before, field->name);
        if (field->type == FIELD_RECORD) {
            (void)strncat(name, ".", sizeof name - strlen(name) - 1);
            job_keys(field->row, name, out);
            continue;
        }
        buf_addf(out, ".It Cm %s\n", name);
        escape(str_from(field->help), out);
        buf_adds(out, ".\n");
        if (field_choice(field, 0) != NULL) {
            buf_adds(out, "One of ");
            cli_choices(field, ", ", out);
            buf_adds(out, ".\n");
        }
    }
}

static void job_page(struct buf *out)
{
    page_head("stint-job", "stint-job", "5", "a job file: what to run", out);
    buf_adds(out, ".Sh DESCRIPTION\n"
                  "A job file is YAML with\n"
                  ".Cm name ,\n"
                  ".Cm train\n"
                  "or\n"
                  ".Cm infer ,\n"
                  "and\n"
                  ".Cm limits .\n"
                  "Omitted values get their usual value, with a note.\n"
                  "Numbers of\n"
                  "parameters, tokens and examples may be written 7B, 25M or 1.5T.\n"
                  "Keys inside others are written with a dot here, as\n"
                  ".Nm stint estimate Fl \\-set\n"
                  "takes them.\n"
                  ".Bl -tag -width Ds\n");
    job_keys(op_job_keys(), "", out);
    buf_adds(out,
             ".El\n.Sh EXAMPLES\n.Bd -literal -offset indent\n"
             "name: llama\\-7b\\-lora\ntrain:\n  model: llama\\-2\\-7b\n  method: lora\n"
             "  data: {examples: 50000, tokens: 512}\n  epochs: 3\n  global_batch: 128\n.Ed\n"
             ".Sh SEE ALSO\n.Xr stint-estimate 1\n");
}

bool cli_man(struct str what, struct buf *out, struct error *err)
{
    const struct command *group = cli_find_group(what);
    char name[64];

    if (what.len == 0) {
        main_page(out);
        return true;
    }
    if (str_eq(what, STR("job"))) {
        job_page(out);
        return true;
    }
    if (group == NULL)
        return cli_unknown_command(what, err);
    (void)snprintf(name, sizeof name, "stint-%.*s", STR_ARG(what));
    page_head(name, name, "1", group->group.summary, out);
    buf_adds(out, ".Sh DESCRIPTION\n");
    for (size_t i = 0; i < cli_command_count; i++)
        if (cli_in_group(cli_commands[i], what))
            command_section(cli_commands[i], out);
    buf_adds(out, "The options of every command are in\n.Xr stint 1 .\n");
    page_foot(out);
    buf_adds(out, ".Sh SEE ALSO\n.Xr stint 1\n");
    return true;
}

static bool write_man_page(const char *folder, struct str group, struct arena *arena,
                           struct error *err)
{
    struct buf text = buf_new(arena->alloc, BUF_MAX_OUTPUT);
    char file[64]; /* names of groups are short */
    const char *path;
    bool ok;

    (void)snprintf(file, sizeof file, group.len > 0 ? "stint-%.*s.1" : "stint%.*s.1",
                   STR_ARG(group));
    ok = cli_man(group, &text, err) && buf_ok(&text, err) &&
         (path = fs_join(folder, file, arena, err)) != NULL &&
         fs_put(path, buf_text(&text), err);
    buf_free(&text);
    return ok;
}

bool cli_man_pages(const char *folder, struct arena *arena, struct error *err)
{
    bool made;

    if (!fs_make_output_folder(folder, &made, err) ||
        !write_man_page(folder, STR(""), arena, err))
        return false;
    for (size_t i = 0; i < cli_command_count; i++)
        if (cli_begins_group(cli_commands[i]) &&
            !write_man_page(folder, cli_group_name(cli_commands[i]), arena, err))
            return false;
    return true;
}
