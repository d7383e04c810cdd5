/* stint tags, stint tags set */
#include "cli/commands.h"
#include "cli/costs_view.h"
#include "op/account/tags.h"

/* Is there something without a tag that the policy gives to others? */
static bool any_split(const struct tags_result *res)
{
    const struct tags_row *rows = res->rows.at;

    for (size_t i = 0; i < res->rows.len; i++)
        if (rows[i].split.amount.coefficient != 0)
            return true;
    return false;
}

static void print_rows(const struct view *view, const struct tags_result *res)
{
    const struct tags_row *rows = res->rows.at;
    const struct table_column columns[] = {
        {.title = "tag"},
        {.title = "tagged", .right = true},
        {.title = "share", .right = true},
        {.title = "untagged", .right = true},
        {.title = "of it split", .right = true, .hidden = !any_split(res)},
        {.title = "most has", .shrink = true, .optional = true},
    };
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    for (size_t i = 0; i < res->rows.len; i++) {
        table_text(&t, rows[i].tag);
        costs_cell(&t, &rows[i].tagged);
        costs_share_cell(&t, rows[i].share);
        costs_cell(&t, &rows[i].untagged);
        costs_cell(&t, &rows[i].split);
        table_text(&t, rows[i].most.len > 0 ? rows[i].most : STR("-"));
        table_style(&t, rows[i].untagged.amount.coefficient > 0 ? STYLE_WARN : STYLE_GOOD);
    }
    table_write(&t, &view->term, view->out);
}

static void print_untagged(const struct view *view, const struct tags_result *res)
{
    static const struct table_column columns[] = {
        {.title = "service", .shrink = true},
        {.title = "account", .shrink = true},
        {.title = "without", .shrink = true},
        {.title = "money", .right = true},
        {.title = "bill lines", .right = true, .optional = true},
        {.title = "runs", .right = true, .optional = true},
    };
    const struct tags_untagged *list = res->untagged.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    for (size_t i = 0; i < res->untagged.len; i++) {
        const struct tags_untagged *u = &list[i];
        struct buf missing = buf_new(view->arena->alloc, 256);

        costs_name_cell(&t, u->service.len > 0 ? u->service : u->provider);
        costs_name_cell(&t, u->sub_account.len > 0 ? u->sub_account : u->account);
        for (size_t k = 0; k < u->missing.len; k++) {
            buf_adds(&missing, k > 0 ? ", " : "");
            buf_add(&missing, u->missing.at[k]);
        }
        table_text(&t, buf_text(&missing));
        buf_free(&missing);
        costs_cell(&t, &u->amount);
        table_cell(&t, "%lld", (long long)u->lines);
        table_cell(&t, "%lld", (long long)u->runs);
    }
    buf_adds(view->out, "\nthe largest without them:\n");
    table_write(&t, &view->term, view->out);
    if (res->more > 0)
        buf_addf(view->out, "and %lld more: --limit 0 lists all\n", (long long)res->more);
    buf_adds(view->out, "\na rule for the first, for 'stint allocation set':\n  ");
    buf_add_safe(view->out, list[0].rule);
    buf_char(view->out, '\n');
    if (list[0].lines == 0)
        buf_adds(view->out, "or 'stint tags set RUN team=...', for a run\n");
}

static void print(const struct view *view, const void *result)
{
    const struct tags_result *res = result;

    if (res->rows.len == 0) {
        costs_print_nothing(view, &res->basis);
        return;
    }
    print_rows(view, res);
    if (res->untagged.len > 0)
        print_untagged(view, res);
    if (!res->policy)
        buf_adds(view->out,
                 "\nno tag is required: 'required: [team, project]' in an allocation policy\n"
                 "('stint allocation set FILE') makes these count\n");
    costs_print_apart(view, "not in it: credits of ", &res->credits);
    costs_print_basis(view, &res->basis);
}

static void print_set(const struct view *view, const void *result)
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
    .about =
        "How much of the money - of bills, and of runs that no bill covers - has the tags\n"
        "that the allocation policy requires; the largest that have none, and a rule that\n"
        "would tag them.",
    .examples = "stint tags\n"
                "stint tags --since 2026-10-01 --limit 0\n"
                "stint tags --where provider=AWS --json",
    .print = print,
};

const struct command cmd_tags_set = {
    .name = "tags set",
    .op = &op_tags_set,
    .about = "Set tags of a run, over or under way. What they were is kept as an event of the\n"
             "run ('stint show').",
    .examples = "stint tags set last team=nlp project=ads\n"
                "stint tags set 8f3a01c2 phase=",
    .print = print_set,
};
