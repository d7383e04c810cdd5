/* More than one run: a search over hyper-parameters, jobs in shared sessions, a queue. */
#include <math.h>

#include "cli/plan/plan_print.h"
#include "cli/view.h"
#include "op/op.h"
#include "unit/shown.h"

void plan_print_trials(const struct plan_look *look)
{
    const struct plan_trials *s = &look->res->trials;
    struct buf text = plan_view_text(look);

    if (s->trials <= 0)
        return;
    plan_view_heading(look, "SEARCH");
    buf_addf(&text, "%lld", (long long)s->trials);
    if (s->scheme.len > 0) {
        buf_adds(&text, " by ");
        buf_add(&text, s->scheme);
    }
    if (s->rungs > 1)
        buf_addf(&text, " in %lld rungs", (long long)s->rungs);
    if (s->stopped > 0) {
        buf_adds(&text, ", ");
        value_share(s->stopped, &text);
        buf_adds(&text, " stopped early");
    }
    if (s->parallel > 0)
        buf_addf(&text, s->parallel > 1 ? ", %lld at a time" : ", one at a time",
                 (long long)s->parallel);
    plan_view_line(look, STR("trials"), STYLE_PLAIN, &text);

    text = plan_view_text(look);
    usd_write_estimate(s->cost, &text);
    buf_adds(&text, ", ");
    usd_write_estimate(s->each, &text);
    buf_adds(&text, " a trial on average; done after ");
    value_hours(s->hours, &text);
    plan_view_line(look, STR("cost"), STYLE_PLAIN, &text);
    if (s->parallel <= 1 || s->serial_cost.nano == MONEY_UNKNOWN)
        return;
    text = plan_view_text(look);
    usd_write_estimate(s->serial_cost, &text);
    buf_adds(&text, "; done after ");
    value_hours(s->serial_hours, &text);
    plan_view_line(look, STR("one at a time"), STYLE_PLAIN, &text);
}

/* Hours from now: "now", "+3.20 h". */
static bool write_plan_moment(const struct column *column, const void *row, struct buf *out)
{
    const struct plan_slot *slot = row;
    double hours = column->index == 0 ? slot->start_h : slot->end_h;

    if (hours > 0) {
        buf_char(out, '+');
        value_hours(hours, out);
    } else {
        buf_adds(out, isnan(hours) ? "?" : "now");
    }
    return true;
}

static void together_line(const struct plan_look *look, size_t sessions, double end)
{
    const struct plan_result *res = look->res;
    double saves = usd_double(res->alone) - usd_double(res->together);
    struct buf text = plan_view_text(look);

    usd_write_estimate(res->together, &text);
    buf_addf(&text, " in %zu session%s, done after ", sessions, sessions == 1 ? "" : "s");
    value_hours(end, &text);
    if (usd_double(res->around) > 0) { /* so that the lines add up */
        buf_adds(&text, "; ");
        usd_write_estimate(res->around, &text);
        buf_adds(&text, " of it for setup and billed but unused time");
    }
    if (!isnan(saves)) {
        buf_adds(&text, "; each alone ");
        usd_write_estimate(res->alone, &text);
        if (saves > 0) {
            buf_adds(&text, ": saves ");
            plan_view_dollars(saves, &text);
            buf_adds(&text, " (");
            value_share(saves / usd_double(res->alone), &text);
            buf_char(&text, ')');
        }
    }
    buf_char(look->view->out, '\n');
    plan_view_line(look, STR("together"), STYLE_PLAIN, &text);
}

static bool slot_has_many_machines(const struct rows *list)
{
    const struct plan_slot *slots = list->at;

    for (size_t i = 0; i < list->len; i++)
        if (slots[i].machines > 1)
            return true;
    return false;
}

void plan_print_sessions(const struct plan_look *look)
{
    const struct column columns[] = {
        COLUMN("session", session),
        COLUMN("start", start_h, .cell = write_plan_moment, .index = 0),
        COLUMN("end", end_h, .cell = write_plan_moment, .index = 1),
        COLUMN("job", job, .shrink = true, .unknown = ""),
        COLUMN("where", offer, .shrink = true, .unknown = ""),
        COLUMN("machines", machines, .optional = true,
               .hidden = !slot_has_many_machines(&look->res->slots)),
        COLUMN("cost", cost, .form = COLUMN_ESTIMATE),
        COLUMN("price age", price_age_days, .form = COLUMN_AGE, .optional = true),
        COLUMN("setting", setting, .optional = true, .unknown = ""),
    };
    const struct plan_slot *slots = look->res->slots.at;
    int64_t sessions = 0;
    double end = NAN;

    if (look->res->slots.len == 0)
        return;
    for (size_t i = 0; i < look->res->slots.len; i++) {
        sessions = slots[i].session > sessions ? slots[i].session : sessions;
        end = fmax(end, slots[i].end_h); /* of a NaN and a number it is the number */
    }
    plan_view_heading(look, "SESSIONS");
    view_rows(look->view, &op_plan, look->res, "slots", COLUMNS(columns));
    together_line(look, (size_t)sessions, end);
}

static enum term_style style_of_stage(const void *row)
{
    return ((const struct plan_stage *)row)->affordable ? STYLE_PLAIN : STYLE_DIM;
}

static bool all_affordable(const struct rows *list)
{
    const struct plan_stage *stages = list->at;

    for (size_t i = 0; i < list->len; i++)
        if (!stages[i].affordable)
            return false;
    return true;
}

void plan_print_queue(const struct plan_look *look)
{
    const struct plan_result *res = look->res;
    const struct column columns[] = {
        COLUMN("", order, .optional = true),
        COLUMN("job", job, .shrink = true, .unknown = ""),
        COLUMN("where", offer, .shrink = true, .unknown = ""),
        COLUMN("data", share, .unknown = "?"),
        COLUMN("reached", chance, .unknown = "?", .optional = true),
        COLUMN("cost", cost, .form = COLUMN_ESTIMATE),
        COLUMN(res->valued ? "value/cost" : "improves by/$", worth,
               .form = res->valued ? COLUMN_FIGURES : COLUMN_PERCENT,
               .unit = res->valued ? " x" : NULL, .unknown = "?"),
        COLUMN("spent by then", spent, .form = COLUMN_ESTIMATE, .optional = true),
        COLUMN("price age", price_age_days, .form = COLUMN_AGE, .optional = true),
        COLUMN("budget", affordable, .yes = "within", .no = "OVER",
               .hidden = all_affordable(&res->stages)),
    };

    if (res->stages.len == 0)
        return;
    plan_view_heading(look, "QUEUE: highest expected value per dollar first");
    view_rows(look->view, &op_plan, res, "stages", COLUMNS(columns, .style = style_of_stage));
}
