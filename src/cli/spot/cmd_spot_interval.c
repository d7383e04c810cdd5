/* stint spot interval */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/num.h"
#include "cli/commands.h"
#include "cli/spot_view.h"
#include "op/spot/spot_interval.h"
#include "unit/shown.h"

#define LABEL 16 /* columns of a label */

/* "risk     measured ...": a line of a record. */
static void print_interval_line(const struct view *view, const char *name, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

static void print_interval_line(const struct view *view, const char *name, const char *fmt, ...)
{
    char text[400];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    view_label(view, name);
    buf_add_safe(view->out, str_from(text));
    buf_char(view->out, '\n');
}
static void print_best_interval(const struct view *view, const struct interval_answer *res)
{
    view_label(view, "save");
    if (res->best.every.ns < 0) {
        buf_adds(view->out, "only on notice: it is long enough\n");
    } else {
        buf_adds(view->out, "every ");
        value_span(res->best.every, view->out);
        buf_adds(view->out, " of work (Young ");
        value_span(res->young, view->out);
        buf_adds(view->out, ", Daly ");
        value_span(res->daly, view->out);
        buf_adds(view->out, ")\n");
    }
    print_interval_line(view, "overhead",
                        "%.1f %% of the work: checkpoints %.1f, lost work %.1f, restarts %.1f",
                        res->best.overhead * 100, res->best.save * 100, res->best.lost * 100,
                        res->best.restart * 100);
    view_label(view, "life");
    value_hours(res->mean_life_h, view->out);
    buf_adds(view->out, " on average\n");
    view_label(view, "from");
    view_wrap(res->method, LABEL, LABEL, view->out);
    buf_char(view->out, '\n');
}

static void print_interval_money(const struct view *view, const struct interval_answer *res)
{
    if (!isnan(res->saving)) {
        view_label(view, "savings");
        if (res->saving > 0)
            value_share(res->saving, view->out);
        buf_adds(view->out, res->saving > 0 ? " of on-demand (" : "none (");
        usd_per_hour_write(res->spot, view->out);
        buf_adds(view->out, " against ");
        usd_per_hour_write(res->on_demand, view->out);
        buf_char(view->out, ')');
        if (!isnan(res->break_even)) {
            buf_adds(view->out, "; none from an overhead of ");
            value_share(res->break_even, view->out);
            buf_adds(view->out, " on");
        }
        buf_char(view->out, '\n');
    }
    if (isnan(res->work_h))
        return;
    print_interval_line(view, "job", "%s h of work take %s h of machine",
                        num_about(res->work_h).text, num_about(res->machine_h).text);
    if (res->spot_usd.nano == MONEY_UNKNOWN)
        return;
    view_label(view, "cost");
    usd_write_estimate(res->spot_usd, view->out);
    buf_adds(view->out, " expected on spot, ");
    usd_write_estimate(res->on_demand_usd, view->out);
    buf_adds(view->out, " on demand\n");
}

static enum term_style style_of_interval(const void *row)
{
    return ((const struct interval_view *)row)->best ? STYLE_GOOD : STYLE_PLAIN;
}

static void print_others(const struct view *view, const struct interval_answer *res)
{
    static const struct column columns[] = {
        COLUMN("", best, .yes = "*"),
        COLUMN("save every", every, .form = COLUMN_ESTIMATE, .unknown = "on notice"),
        COLUMN("overhead", overhead, .form = COLUMN_PERCENT, .decimals = 1),
        COLUMN("checkpoints", save, .form = COLUMN_PERCENT, .decimals = 1, .optional = true),
        COLUMN("lost work", lost, .form = COLUMN_PERCENT, .decimals = 1, .optional = true),
        COLUMN("restarts", restart, .form = COLUMN_PERCENT, .decimals = 1, .optional = true),
    };

    buf_char(view->out, '\n');
    view_rows(view, &op_spot_interval, res, "others",
              COLUMNS(columns, .style = style_of_interval));
}

static void print_ages(const struct view *view, const struct interval_answer *res)
{
    const struct interval_age *rows = res->by_age.at;
    struct buf text = buf_new(view->arena->alloc, 1024);

    if (res->by_age.len == 0)
        return;
    buf_addf(&text, "by age it takes %s less machine time:", percent_text(res->gain).text);
    for (size_t i = 0; i < res->by_age.len; i++) {
        buf_adds(&text, i > 0 ? ", " : " ");
        value_span(rows[i].every, &text);
        if (rows[i].from.ns > 0) {
            buf_adds(&text, " from ");
            value_span(rows[i].from, &text);
            buf_adds(&text, " on");
        } else {
            buf_adds(&text, " at first");
        }
    }
    buf_char(view->out, '\n');
    spot_note(view, "", buf_text(&text));
    buf_free_part(&text, view->out);
}

static void print_spot_interval(const struct view *view, const void *result)
{
    const struct interval_answer *res = result;

    if (res->place.len > 0) {
        view_label(view, "where");
        buf_add_safe(view->out, res->place);
        buf_char(view->out, '\n');
    }
    print_best_interval(view, res);
    print_interval_money(view, res);
    print_others(view, res);
    print_ages(view, res);
}

const struct command cmd_spot_interval = {
    .name = "spot interval",
    .op = &op_spot_interval,
    .about = "Computes how often to save a checkpoint on machines that can be interrupted: the "
             "interval that takes the least machine time for a unit of work. The chance of an "
             "interruption may depend on the machine's age (young ones go first); with one "
             "rate for all ages it is Daly's formula. Other intervals are shown too, because "
             "the optimum is flat, and a schedule by age where that helps.",
    .examples = "stint spot interval --checkpoint 2min --delay 6min --mtbf 5h\n"
                "stint spot interval p5.48xlarge --checkpoint 3min --notice 2min\n"
                "stint spot interval --traces week.trc --zones us-west-2a_v100_1 --checkpoint "
                "2min --work 48h",
    .print = print_spot_interval,
};
