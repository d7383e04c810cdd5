/* stint tags, stint tags set */
#include "cli/commands.h"
#include "cli/costs_view.h"
#include "op/account/tags.h"

static enum term_style style_of_tag(const void *row)
{
    const struct tags_row *tag = row;

    return tag->untagged.amount.coefficient > 0 ? STYLE_WARN : STYLE_GOOD;
}

static const struct column tag_columns[] = {
    COLUMN("tag", tag),
    COLUMN("tagged", tagged),
    COLUMN("share", share),
    COLUMN("untagged", untagged),
    COLUMN("of it split", split, .if_any = true),
    COLUMN("most has", largest, .shrink = true, .optional = true),
};

static const struct column untagged_columns[] = {
    COLUMN("service", service, .otherwise = "provider", .shrink = true, .unknown = "(none)"),
    COLUMN("account", sub_account, .otherwise = "account", .shrink = true, .unknown = "(none)"),
    COLUMN("without", missing, .shrink = true, .unknown = ""),
    COLUMN("money", amount),
    COLUMN("bill lines", lines, .optional = true),
    COLUMN("runs", runs, .optional = true),
};

static void print_untagged(const struct view *view, const struct tags_result *res)
{
    const struct tags_untagged *list = res->tags.untagged.at;

    buf_adds(view->out, "\nthe largest without them:\n");
    view_rows(view, &op_tags, res, "untagged", COLUMNS(untagged_columns));
    if (res->tags.more > 0)
        buf_addf(view->out, "and %lld more: --limit 0 lists all\n", (long long)res->tags.more);
    buf_adds(view->out, "\na rule for the first, for 'stint allocation set':\n  ");
    buf_add_safe(view->out, list[0].rule);
    buf_char(view->out, '\n');
    if (list[0].lines == 0)
        buf_adds(view->out, "or 'stint tags set RUN team=...', for a run\n");
}

static void print_tags(const struct view *view, const void *result)
{
    const struct tags_result *res = result;

    if (res->tags.rows.len == 0) {
        costs_print_nothing(view, &res->basis);
        return;
    }
    view_rows(view, &op_tags, res, "rows", COLUMNS(tag_columns, .style = style_of_tag));
    if (res->tags.untagged.len > 0)
        print_untagged(view, res);
    if (!res->tags.policy)
        buf_adds(view->out,
                 "\nno tag is required: 'required: [team, project]' in an allocation policy\n"
                 "('stint allocation set FILE') makes these count\n");
    costs_print_apart(view, "not in it: credits of ", &res->tags.credits);
    costs_print_basis(view, &res->basis);
}

static void print_tags_set(const struct view *view, const void *result)
{
    const struct tags_set_result *res = result;

    buf_addf(view->out, "%.*s ", STR_ARG(res->short_id));
    buf_add_safe(view->out, res->name);
    buf_adds(view->out, res->changed > 0 ? " has now " : " has already ");
    for (size_t i = 0; i < res->tags.len; i++) {
        buf_adds(view->out, i > 0 ? ", " : "");
        buf_add_safe(view->out, res->tags.at[i]);
    }
    buf_adds(view->out, res->tags.len == 0 ? "no tags\n" : "\n");
}

const struct command cmd_tags = {
    .name = "tags",
    .op = &op_tags,
    .group = {"tag coverage, and tags of a run", .stage = CLI_AFTER},
    .about = "Shows how much of the cost (of bills, and of runs that no bill covers) has the "
             "tags that the allocation policy requires, the largest costs without them, and a "
             "rule that would tag them.",
    .examples = "stint tags\n"
                "stint tags --since 2026-10-01 --limit 0\n"
                "stint tags --where provider=AWS --json",
    .print = print_tags,
};

const struct command cmd_tags_set = {
    .name = "tags set",
    .op = &op_tags_set,
    .about = "Sets tags of a run, running or finished. The old values are recorded as an event "
             "of the run ('stint show').",
    .examples = "stint tags set last team=nlp project=ads\n"
                "stint tags set 8f3a01c2 phase=",
    .print = print_tags_set,
};
