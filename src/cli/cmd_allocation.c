/* stint allocation set, show, check and remove */
#include "cli/commands.h"
#include "cli/costs_view.h"
#include "op/account/allocation.h"

static void print_sizes(const struct view *view, const struct allocation_result *res)
{
    struct buf *out = view->out;

    if (res->required.len > 0) {
        buf_adds(out, "required tags: ");
        for (size_t i = 0; i < res->required.len; i++) {
            buf_adds(out, i > 0 ? ", " : "");
            buf_add(out, res->required.at[i]);
        }
        buf_adds(out, str_eq(res->enforce, STR("refuse")) ? " (runs without are refused)\n"
                                                          : " (runs without are warned of)\n");
    }
    buf_addf(out, "%lld rule%s, %lld shared cost%s, %lld recurring cost%s\n",
             (long long)res->rules, res->rules == 1 ? "" : "s", (long long)res->shared,
             res->shared == 1 ? "" : "s", (long long)res->recurring,
             res->recurring == 1 ? "" : "s");
}

/* What is tagged that was not, and the other way round. */
static void print_coverage(const struct view *view, const struct allocation_result *res)
{
    static const struct table_column columns[] = {
        {.title = "tag"},
        {.title = "had it", .right = true},
        {.title = "has it now", .right = true},
        {.title = "of all", .right = true},
        {.title = "share", .right = true},
    };
    const struct allocation_coverage *rows = res->coverage.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    for (size_t i = 0; i < res->coverage.len; i++) {
        table_text(&t, rows[i].tag);
        costs_cell(&t, &rows[i].before);
        costs_cell(&t, &rows[i].after);
        costs_cell(&t, &rows[i].total);
        costs_share_cell(&t, costs_share(rows[i].after.amount, rows[i].total.amount));
    }
    if (res->coverage.len > 0)
        table_write(&t, &view->term, view->out);
    else
        buf_adds(view->out, "no amount in the ledger has other tags than before\n");
}

static void print_set(const struct view *view, const void *result)
{
    const struct allocation_result *res = result;

    if (res->same) {
        buf_adds(view->out, "this was the policy in force already\n");
    } else {
        buf_adds(view->out, "the allocation policy is now ");
        buf_add_safe(view->out, res->file);
        buf_char(view->out, '\n');
        print_sizes(view, res);
    }
    print_coverage(view, res);
}

static void print_remove(const struct view *view, const void *result)
{
    const struct allocation_result *res = result;

    if (res->none) {
        buf_adds(view->out, "there is no allocation policy\n");
        return;
    }
    buf_adds(view->out, "the allocation policy is removed\n");
    print_coverage(view, res);
}

/* The document itself, so that it can be written to a file again. */
static void print_show(const struct view *view, const void *result)
{
    const struct allocation_result *res = result;

    if (res->none) {
        buf_adds(view->out,
                 "# there is no allocation policy: 'stint allocation set FILE' makes one\n");
        return;
    }
    buf_adds(view->out, "# in force since ");
    buf_add_safe(view->out, res->set_at);
    buf_char(view->out, '\n');
    for (struct str rest = res->text; rest.len > 0;) {
        buf_add_safe(view->out, str_cut(&rest, '\n'));
        buf_char(view->out, '\n');
    }
}

static void number_cell(struct table *t, int64_t n)
{
    if (n >= 0)
        table_cell(t, "%lld", (long long)n);
    else
        table_cell(t, "-");
}

static void print_check(const struct view *view, const void *result)
{
    static const struct table_column columns[] = {
        {.title = "line", .right = true},       {.title = "what"},
        {.title = "name", .shrink = true},      {.title = "says", .shrink = true},
        {.title = "bill lines", .right = true}, {.title = "runs", .right = true},
        {.title = "money", .right = true},      {.title = "newly tagged", .right = true},
    };
    const struct allocation_result *res = result;
    const struct allocation_row *rows = res->rows.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    if (res->none) {
        buf_adds(view->out, "there is no allocation policy\n");
        return;
    }
    print_sizes(view, res);
    for (size_t i = 0; i < res->rows.len; i++) {
        const struct allocation_row *r = &rows[i];

        table_cell(&t, "%lld", (long long)r->line);
        table_text(&t, r->kind);
        table_text(&t, r->name.len > 0 ? r->name : STR("-"));
        table_text(&t, r->words);
        number_cell(&t, r->lines);
        number_cell(&t, r->runs);
        costs_cell(&t, &r->amount);
        costs_cell(&t, &r->changed);
        if (r->lines == 0 && r->runs == 0)
            table_style(&t, STYLE_WARN);
    }
    if (res->rows.len > 0)
        table_write(&t, &view->term, view->out);
    buf_adds(view->out, "effective cost of ");
    day_write(res->since, view->out);
    buf_adds(view->out, " to ");
    day_write(res->until, view->out);
    buf_adds(view->out, "; nothing was changed\n");
}

const struct command cmd_allocation_set = {
    .name = "allocation set",
    .op = &op_allocation_set,
    .about = "Make a file the allocation policy of the ledger: tags that must be there, rules\n"
             "that set tags by pattern, shared costs and how they are split, recurring costs.\n"
             "The file is checked first; then everything on bills gets its tags anew, and\n"
             "what that changes is told. docs/allocation.md has all keys.",
    .examples = "stint allocation set policy.yaml",
    .print = print_set,
};

const struct command cmd_allocation_show = {
    .name = "allocation show",
    .op = &op_allocation_show,
    .about = "The policy in force, as it was set: 'stint allocation show > policy.yaml' gives\n"
             "the file back.",
    .examples = "stint allocation show\nstint allocation show --json",
    .print = print_show,
};

const struct command cmd_allocation_check = {
    .name = "allocation check",
    .op = &op_allocation_check,
    .about = "Try a policy without setting it: how many lines of bills and how many runs each\n"
             "rule matches, their money, and how much of it the rule gives a tag that it has\n"
             "not. Without a file, the policy in force.",
    .examples = "stint allocation check policy.yaml\n"
                "stint allocation check policy.yaml --since 2026-10-01 --until 2026-10-31",
    .print = print_check,
};

const struct command cmd_allocation_remove = {
    .name = "allocation remove",
    .op = &op_allocation_remove,
    .about = "Take the policy away: everything on bills has its own tags again, and nothing\n"
             "is split.",
    .examples = "stint allocation remove",
    .print = print_remove,
};
