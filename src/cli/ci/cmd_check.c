/* stint check */
#include <math.h>

#include "cli/commands.h"
#include "cli/view.h"
#include "op/ci/check.h"
#include "unit/shown.h"

static bool is_side_recorded(const struct change_side *side)
{
    return side->source == CHANGE_RUN || side->source == CHANGE_REPORT;
}

/* A row, and whether the amounts of the sides are recorded or estimated. */
struct check_row {
    const struct change_row *row;
    bool before_recorded, after_recorded;
};

static bool write_measure(const struct column *column, const void *at, struct buf *out)
{
    (void)column;
    buf_adds(out, change_measure_names[((const struct check_row *)at)->row->measure]);
    return true;
}

static bool write_before(const struct column *column, const void *at, struct buf *out)
{
    const struct check_row *r = at;

    (void)column;
    if (!isnan(r->row->before.value))
        change_write_amount(r->row->measure, r->row->before.value, r->before_recorded, out);
    return true;
}

static bool write_after(const struct column *column, const void *at, struct buf *out)
{
    const struct check_row *r = at;

    (void)column;
    if (!isnan(r->row->after.value))
        change_write_amount(r->row->measure, r->row->after.value, r->after_recorded, out);
    return true;
}

static bool write_check_change(const struct column *column, const void *at, struct buf *out)
{
    const struct check_row *r = at;

    (void)column;
    if (!isnan(r->row->change))
        value_change(r->row->change, out);
    return true;
}

/* How much of a change may be error, where any may. */
static bool write_check_error(const struct column *column, const void *at, struct buf *out)
{
    const struct check_row *r = at;

    (void)column;
    if (r->row->error > 0)
        value_share(r->row->error, out);
    return true;
}

static bool write_check_verdict(const struct column *column, const void *at, struct buf *out)
{
    (void)column;
    buf_adds(out, change_verdict_names[((const struct check_row *)at)->row->verdict]);
    return true;
}

static enum term_style row_style(const void *at)
{
    enum change_verdict verdict = ((const struct check_row *)at)->row->verdict;

    return verdict == CHANGE_TOO_HIGH || verdict == CHANGE_OVER ? STYLE_WARN : STYLE_PLAIN;
}

static void print_side(const struct view *view, const char *label,
                       const struct change_side *side)
{
    view_label(view, label);
    buf_add_safe(view->out, side->name);
    if (side->offer.len > 0) {
        buf_adds(view->out, ", on ");
        buf_add_safe(view->out, side->offer);
    }
    if (side->price.nano > 0) {
        buf_adds(view->out, " at ");
        usd_per_hour_write(side->price, view->out);
    }
    if (side->price_date.n != DAY_UNKNOWN.n) {
        buf_adds(view->out, ", price from ");
        day_write(side->price_date, view->out);
    }
    if (side->variation >= 0) {
        buf_adds(view->out, ", varies by ");
        value_share(side->variation, view->out);
        buf_adds(view->out, " (");
        buf_add_safe(view->out, side->variation_from);
        buf_char(view->out, ')');
    }
    buf_char(view->out, '\n');
}

static bool any_error(const struct check_result *res)
{
    const struct change_row *rows = res->change.rows.at;

    for (size_t i = 0; i < res->change.rows.len; i++)
        if (rows[i].error > 0)
            return true;
    return false;
}

static void print_check_rows(const struct view *view, const struct check_result *res,
                             bool compared)
{
    static const struct field none[] = {{0}};
    static const struct field_set set = {none, 0, sizeof(struct check_row)};
    bool errors = any_error(res);
    const struct column columns[] = {
        COLUMN_CELL("", write_measure),
        COLUMN_CELL("before", write_before, .side = COLUMN_RIGHT, .hidden = !compared),
        COLUMN_CELL(compared ? "after" : "now", write_after, .side = COLUMN_RIGHT),
        COLUMN_CELL("change", write_check_change, .side = COLUMN_RIGHT, .hidden = !compared),
        COLUMN_CELL("error", write_check_error, .side = COLUMN_RIGHT, .hidden = !errors,
                    .optional = true),
        COLUMN_CELL("", write_check_verdict, .hidden = !compared),
    };
    const struct change_row *rows = res->change.rows.at;
    struct check_row shown[CHANGE_MEASURES];
    struct table_rows list = {&set, shown, res->change.rows.len};

    for (size_t i = 0; i < res->change.rows.len; i++)
        shown[i] = (struct check_row){&rows[i], is_side_recorded(&res->before),
                                      is_side_recorded(&res->after)};
    columns_print(COLUMNS(columns, .style = row_style), &list, &view->term, view->arena,
                  view->out);
}

static void print_ci_check(const struct view *view, const void *result)
{
    const struct check_result *res = result;
    bool compared = res->before.name.len > 0;

    if (compared)
        print_side(view, "before", &res->before);
    print_side(view, compared ? "after" : "checked", &res->after);
    buf_char(view->out, '\n');
    print_check_rows(view, res, compared);
    buf_char(view->out, '\n');
    if (!res->change.passed)
        buf_adds(view->out, "failed: ");
    buf_add_safe(view->out, res->change.verdict);
    buf_char(view->out, '\n');
}

const struct command cmd_check = {
    .name = "check",
    .op = &op_check,
    .group = {"fail a build when a job costs more than before", .stage = CLI_AFTER},
    .about = "Compares the cost, time, energy and cost per 1,000 predictions of a job, plan, "
             "estimate, report or run with those of a baseline, and exits with status 5 when "
             "one increased by more than --max-increase, or the cost is above --max-cost.\n\n"
             "WHAT and the baseline are each a saved plan, the output of 'stint estimate "
             "--json', a cost_analysis.json (or the folder of its experiment), a job file, or "
             "a run as in 'stint show'. Job files are planned, or estimated on --on or "
             "--offer, both at today's prices.\n\n"
             "An increase counts when it exceeds the expected error: that of estimates with "
             "independent errors (another model, GPU or software), and the variation between "
             "repeats of the same run. A new price of the same offer does not count. "
             "docs/guide/ci.md has the rule, and jobs for GitHub and GitLab.",
    .examples = "git show main:job.yaml >before.yaml\n"
                "stint check job.yaml --baseline before.yaml --max-increase 10%\n"
                "stint check job.yaml --baseline plan.json --markdown check.md\n"
                "stint check last --baseline nightly --max-cost 0.05usd",
    .print = print_ci_check,
};
