/* stint allocation set, show, check and remove */
#include "cli/commands.h"
#include "cli/costs_view.h"
#include "op/account/allocation.h"
#include "unit/shown.h"

static void print_allocation_sizes(const struct view *view, const struct allocation_result *res)
{
    struct buf *out = view->out;

    if (res->policy.required.len > 0) {
        buf_adds(out, "required tags: ");
        for (size_t i = 0; i < res->policy.required.len; i++) {
            buf_adds(out, i > 0 ? ", " : "");
            buf_add(out, res->policy.required.at[i]);
        }
        buf_adds(out, str_eq(res->policy.enforce, STR("refuse"))
                          ? " (runs without are refused)\n"
                          : " (runs without are warned of)\n");
    }
    buf_addf(out, "%lld rule%s, %lld shared cost%s, %lld recurring cost%s\n",
             (long long)res->policy.rules, res->policy.rules == 1 ? "" : "s",
             (long long)res->policy.shared, res->policy.shared == 1 ? "" : "s",
             (long long)res->policy.recurring, res->policy.recurring == 1 ? "" : "s");
}

static bool write_allocation_share(const struct column *column, const void *row,
                                   struct buf *out)
{
    const struct tagged_change *r = row;

    (void)column;
    value_share(costs_share(r->after.amount, r->total.amount), out);
    return true;
}

/* What is tagged that was not, and the other way round. */
static void print_coverage(const struct view *view, const struct allocation_result *res)
{
    static const struct column columns[] = {
        COLUMN("tag", tag),
        COLUMN("had it", before),
        COLUMN("has it now", after),
        COLUMN("of all", total),
        COLUMN_CELL("share", write_allocation_share, .side = COLUMN_RIGHT),
    };

    if (res->coverage.len > 0)
        view_rows(view, &op_allocation_set, res, "coverage", COLUMNS(columns));
    else
        buf_adds(view->out, "no amount in the ledger has other tags than before\n");
}

static void print_allocation_set(const struct view *view, const void *result)
{
    const struct allocation_result *res = result;

    if (res->same) {
        buf_adds(view->out, "this is the current policy already\n");
    } else {
        buf_adds(view->out, "the allocation policy is now ");
        buf_add_safe(view->out, res->file);
        buf_char(view->out, '\n');
        print_allocation_sizes(view, res);
    }
    print_coverage(view, res);
}

static void print_allocation_remove(const struct view *view, const void *result)
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
static void print_allocation(const struct view *view, const void *result)
{
    const struct allocation_result *res = result;

    if (res->none) {
        buf_adds(view->out,
                 "# there is no allocation policy: 'stint allocation set FILE' sets one\n");
        return;
    }
    buf_adds(view->out, "# in force since ");
    stamp_write(res->set_at, view->out);
    buf_char(view->out, '\n');
    for (struct str rest = res->text; rest.len > 0;) {
        buf_add_safe(view->out, str_cut(&rest, '\n'));
        buf_char(view->out, '\n');
    }
}

static enum term_style style_of_allocation(const void *row)
{
    const struct allocation_row *r = row;

    return r->lines == 0 && r->runs == 0 ? STYLE_WARN : STYLE_PLAIN;
}

static void print_allocation_check(const struct view *view, const void *result)
{
    static const struct column columns[] = {
        COLUMN("line", line),
        COLUMN("what", kind),
        COLUMN("name", name, .shrink = true),
        COLUMN("rule", text, .shrink = true),
        COLUMN("bill lines", lines),
        COLUMN("runs", runs),
        COLUMN("money", amount),
        COLUMN("newly tagged", changed),
    };
    const struct allocation_result *res = result;

    if (res->none) {
        buf_adds(view->out, "there is no allocation policy\n");
        return;
    }
    print_allocation_sizes(view, res);
    if (res->policy.rows.len > 0)
        view_rows(view, &op_allocation_check, res, "rows",
                  COLUMNS(columns, .style = style_of_allocation));
    buf_adds(view->out, "effective cost of ");
    day_write(res->since, view->out);
    buf_adds(view->out, " to ");
    day_write(res->until, view->out);
    buf_adds(view->out, "; nothing was changed\n");
}

const struct command cmd_allocation_set = {
    .name = "allocation set",
    .op = &op_allocation_set,
    .group = {"rules that allocate shared, recurring and untagged costs", .stage = CLI_AFTER},
    .about = "Sets the allocation policy of the ledger from a file: required tags, rules that "
             "set tags by pattern, shared costs and how they are split, recurring costs. The "
             "file is checked first; then all lines of bills are tagged again, and the changes "
             "are shown. docs/guide/allocation.md has all keys.",
    .examples = "stint allocation set policy.yaml",
    .print = print_allocation_set,
};

const struct command cmd_allocation_show = {
    .name = "allocation show",
    .op = &op_allocation_show,
    .about = "Shows the current policy as it was set: 'stint allocation show > policy.yaml' "
             "writes the file.",
    .examples = "stint allocation show\nstint allocation show --json",
    .print = print_allocation,
};

const struct command cmd_allocation_check = {
    .name = "allocation check",
    .op = &op_allocation_check,
    .about = "Tries a policy without setting it: how many lines of bills and how many runs "
             "each rule matches, what they cost, and how much of that would get a new tag. "
             "Without a file, the current policy.",
    .examples = "stint allocation check policy.yaml\n"
                "stint allocation check policy.yaml --since 2026-10-01 --until 2026-10-31",
    .print = print_allocation_check,
};

const struct command cmd_allocation_remove = {
    .name = "allocation remove",
    .op = &op_allocation_remove,
    .about =
        "Removes the policy: lines of bills have their own tags again, and nothing is split.",
    .examples = "stint allocation remove",
    .print = print_allocation_remove,
};
