/* stint maturity */
#include <math.h>

#include "cli/commands.h"
#include "cli/view.h"
#include "op/advise/maturity.h"
#include "op/op.h"

static bool write_maturity_value(const struct column *column, const void *row, struct buf *out)
{
    const struct maturity_row *r = row;

    (void)column;
    practice_write(r->unit, r->value, out);
    return true;
}

static bool write_level(const struct column *column, const void *row, struct buf *out)
{
    const struct maturity_row *r = row;

    (void)column;
    buf_adds(out, r->level == MATURITY_UNKNOWN ? "not known" : maturity_level_names[r->level]);
    return true;
}

/* "80 % for run" */
static bool write_goal(const struct column *column, const void *row, struct buf *out)
{
    const struct maturity_row *r = row;

    (void)column;
    if (isnan(r->goal))
        return true;
    practice_write(r->unit, r->goal, out);
    buf_addf(out, " for %s", maturity_level_names[r->level + 1]);
    return true;
}

static enum term_style style_of_practice(const void *row)
{
    const struct maturity_row *r = row;

    return r->level == MATURITY_RUN    ? STYLE_GOOD
           : r->level == MATURITY_NONE ? STYLE_WARN
                                       : STYLE_PLAIN;
}

static const struct column practice_columns[] = {
    COLUMN("domain", domain),
    COLUMN("practice", label),
    COLUMN_CELL("value", write_maturity_value, .side = COLUMN_RIGHT),
    COLUMN_CELL("level", write_level),
    COLUMN_CELL("next level", write_goal, .unknown = ""),
    COLUMN("measured on", evidence, .shrink = true),
};

static void print_domains(const struct view *view, const struct maturity *m)
{
    const struct maturity_domain *domains = m->domains.at;

    for (size_t i = 0; i < m->domains.len; i++) {
        const struct maturity_domain *d = &domains[i];

        buf_addf(view->out, "%-10.*s%-11s%lld of %lld practices are known\n",
                 STR_ARG(d->domain),
                 d->level == MATURITY_UNKNOWN ? "not known" : maturity_level_names[d->level],
                 (long long)d->known, (long long)d->practices);
    }
}

static void print_maturity_steps(const struct view *view, const struct maturity *m)
{
    const struct maturity_step *steps = m->steps.at;

    buf_adds(view->out, m->steps.len > 0 ? "\nnext steps\n"
                                         : "\nevery practice is at the highest level\n");
    for (size_t i = 0; i < m->steps.len; i++) {
        struct buf text = buf_new(view->arena->alloc, BUF_MAX_OUTPUT);

        buf_add(&text, steps[i].text);
        if (!isnan(steps[i].worth)) {
            buf_adds(&text, "; worth ");
            usd_write_estimate(usd_from(steps[i].worth), &text);
            buf_adds(&text, " a month");
        }
        buf_addf(view->out, "%zu. ", i + 1);
        view_wrap(buf_text(&text), 3, 3, view->out);
        buf_adds(view->out, "\n   ");
        buf_add(view->out, steps[i].command);
        buf_char(view->out, '\n');
        buf_free_part(&text, view->out);
    }
}

/* Where the levels come from. */
static void print_thresholds(const struct view *view, const struct maturity *m)
{
    const struct maturity_row *rows = m->rows.at;

    buf_adds(view->out, "\nthresholds\n");
    for (size_t i = 0; i < m->rows.len; i++) {
        const struct maturity_row *r = &rows[i];
        struct buf text = buf_new(view->arena->alloc, BUF_MAX_OUTPUT);

        buf_add(&text, r->label);
        buf_adds(&text, ": crawl ");
        practice_write(r->unit, r->crawl, &text);
        buf_adds(&text, ", walk ");
        practice_write(r->unit, r->walk, &text);
        buf_adds(&text, ", run ");
        practice_write(r->unit, r->run, &text);
        buf_adds(&text, ". Source: ");
        buf_add(&text, r->source);
        buf_adds(&text, ", ");
        day_write(r->date, &text);
        buf_adds(&text, ". Now: ");
        buf_add(&text, r->evidence);
        buf_adds(view->out, "  ");
        view_wrap(buf_text(&text), 4, 2, view->out);
        buf_char(view->out, '\n');
        buf_free_part(&text, view->out);
    }
    buf_adds(view->out,
             "\nA domain is at the level that two in three of its known practices have\n"
             "reached. A file maturity.csv in the catalog folder changes thresholds.\n");
}

static void print_maturity(const struct view *view, const void *result)
{
    const struct maturity_result *res = result;

    if (res->none_yet)
        buf_adds(view->out,
                 "There is no ledger yet, so nothing is known. 'stint run -- "
                 "COMMAND' records runs,\n'stint import FILE' adds cloud bills.\n\n");
    print_domains(view, &res->maturity);
    buf_char(view->out, '\n');
    view_rows(view, &op_maturity, res, "practices",
              COLUMNS(practice_columns, .style = style_of_practice));
    print_maturity_steps(view, &res->maturity);
    if (res->explain)
        print_thresholds(view, &res->maturity);
    buf_adds(view->out, "\nfrom ");
    day_write(res->since, view->out);
    buf_adds(view->out, " to ");
    day_write(res->until, view->out);
    if (!res->explain)
        buf_adds(view->out, "; --explain shows thresholds and their sources");
    buf_char(view->out, '\n');
}

const struct command cmd_maturity = {
    .name = "maturity",
    .op = &op_maturity,
    .group = {"how costs are handled, and the next steps", CLI_AFTER},
    .about = "Rates cost management by facts in the ledger: tagged costs, budgets kept,\n"
             "GPU utilization, spot and commitments, time from an anomaly to its\n"
             "acknowledgment, forecasts, estimates. Each practice is below crawl, or at\n"
             "crawl, walk or run, the levels of the FinOps Foundation, in three domains:\n"
             "inform, optimize, operate. Unknown practices have no level. The next three\n"
             "steps come with a command, and with money where it can be computed.",
    .examples = "stint maturity\n"
                "stint maturity --since 30d --explain\n"
                "stint maturity --json\n"
                "stint maturity --svg maturity.svg",
    .print = print_maturity,
};
