/* More than one run: a search over hyper-parameters, jobs in shared sessions, a queue. */
#include <math.h>

#include "cli/number_view.h"
#include "cli/plan/plan_print.h"

void plan_print_trials(const struct plan_look *look)
{
    const struct plan_trials *s = &look->res->trials;
    struct buf text = plan_view_text(look);

    if (s->trials <= 0) {
        plan_view_drop(look, &text);
        return;
    }
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
        plan_view_percent(s->stopped, &text);
        buf_adds(&text, " stopped early");
    }
    if (s->parallel > 0)
        buf_addf(&text, s->parallel > 1 ? ", %lld at a time" : ", one at a time",
                 (long long)s->parallel);
    plan_view_line(look, STR("trials"), STYLE_PLAIN, &text);

    text = plan_view_text(look);
    usd_write(s->cost, &text);
    buf_adds(&text, ", ");
    usd_write(s->each, &text);
    buf_adds(&text, " a trial on average; done after ");
    plan_view_hours(s->hours, &text);
    plan_view_line(look, STR("cost"), STYLE_PLAIN, &text);
    if (s->parallel <= 1 || s->serial_cost.nano == MONEY_UNKNOWN)
        return;
    text = plan_view_text(look);
    usd_write(s->serial_cost, &text);
    buf_adds(&text, "; done after ");
    plan_view_hours(s->serial_hours, &text);
    plan_view_line(look, STR("one at a time"), STYLE_PLAIN, &text);
}

/* Hours from now: "now", "+3.20 h". */
static void moment(const struct plan_look *look, struct table *t, double hours)
{
    struct buf text = plan_view_text(look);

    if (hours > 0) {
        buf_char(&text, '+');
        plan_view_hours(hours, &text);
    } else {
        buf_adds(&text, isnan(hours) ? "?" : "now");
    }
    plan_view_cell(t, &text);
}

static void together_line(const struct plan_look *look, size_t sessions, double end)
{
    const struct plan_result *res = look->res;
    double saves = usd_double(res->alone) - usd_double(res->together);
    struct buf text = plan_view_text(look);

    usd_write(res->together, &text);
    buf_addf(&text, " in %zu session%s, done after ", sessions, sessions == 1 ? "" : "s");
    plan_view_hours(end, &text);
    if (usd_double(res->around) > 0) { /* so that the lines add up */
        buf_adds(&text, "; ");
        usd_write(res->around, &text);
        buf_adds(&text, " of it for setup and billed but unused time");
    }
    if (!isnan(saves)) {
        buf_adds(&text, "; each alone ");
        usd_write(res->alone, &text);
        if (saves > 0) {
            buf_adds(&text, ": saves ");
            plan_view_dollars(saves, &text);
            buf_adds(&text, " (");
            plan_view_percent(saves / usd_double(res->alone), &text);
            buf_char(&text, ')');
        }
    }
    buf_char(look->view->out, '\n');
    plan_view_line(look, STR("together"), STYLE_PLAIN, &text);
}

void plan_print_sessions(const struct plan_look *look)
{
    enum { SESSION, START, END, JOB, OFFER, MACHINES, COST, SETTING, COLUMNS };
    static const size_t order[] = {SETTING, MACHINES};
    struct table_column columns[COLUMNS] = {
        [SESSION] = {.title = "session", .right = true},
        [START] = {.title = "start", .right = true},
        [END] = {.title = "end", .right = true},
        [JOB] = {.title = "job", .shrink = true},
        [OFFER] = {.title = "where", .shrink = true},
        [MACHINES] = {.title = "machines", .right = true, .hidden = true},
        [COST] = {.title = "cost", .right = true},
        [SETTING] = {.title = "setting"},
    };
    const struct plan_slot *slots = look->res->slots.at;
    struct table t = table_new(columns, COLUMNS, look->view->arena);
    int64_t sessions = 0;
    double end = NAN;

    if (look->res->slots.len == 0)
        return;
    for (size_t i = 0; i < look->res->slots.len; i++) {
        view_count(&t, slots[i].session);
        moment(look, &t, slots[i].start_h);
        moment(look, &t, slots[i].end_h);
        table_text(&t, slots[i].job);
        table_text(&t, slots[i].offer);
        view_count(&t, slots[i].machines);
        view_amount(&t, slots[i].cost);
        table_text(&t, slots[i].setting);
        columns[MACHINES].hidden &= slots[i].machines <= 1;
        sessions = slots[i].session > sessions ? slots[i].session : sessions;
        end = fmax(end, slots[i].end_h); /* of a NaN and a number it is the number */
    }
    plan_view_fit(&t, columns, order, ARRAY_LEN(order), &look->view->term);
    plan_view_heading(look, "SESSIONS");
    table_write(&t, &look->view->term, look->view->out);
    together_line(look, (size_t)sessions, end);
}

static void percent_cell(const struct plan_look *look, struct table *t, double share)
{
    struct buf text = plan_view_text(look);

    plan_view_percent(share, &text);
    plan_view_cell(t, &text);
}

static void stage_row(const struct plan_look *look, struct table *t, const struct plan_stage *s)
{
    struct buf worth = plan_view_text(look);

    view_count(t, s->order);
    table_text(t, s->job);
    table_text(t, s->offer);
    percent_cell(look, t, s->share);
    percent_cell(look, t, s->chance);
    view_amount(t, s->cost);
    if (look->res->valued) {
        number_write(s->worth, &worth);
        buf_adds(&worth, isnan(s->worth) ? "" : " x");
    } else {
        plan_view_percent(s->worth, &worth);
    }
    plan_view_cell(t, &worth);
    view_amount(t, s->spent);
    table_cell(t, s->affordable ? "within" : "OVER");
    table_style(t, s->affordable ? STYLE_PLAIN : STYLE_DIM);
}

void plan_print_queue(const struct plan_look *look)
{
    enum { ORDER, JOB, OFFER, DATA, CHANCE, COST, WORTH, SPENT, BUDGET, COLUMNS };
    static const size_t order[] = {CHANCE, SPENT, ORDER};
    struct table_column columns[COLUMNS] = {
        [ORDER] = {.title = "", .right = true},
        [JOB] = {.title = "job", .shrink = true},
        [OFFER] = {.title = "where", .shrink = true},
        [DATA] = {.title = "data", .right = true},
        [CHANCE] = {.title = "reached", .right = true},
        [COST] = {.title = "cost", .right = true},
        [WORTH] = {.title = look->res->valued ? "value/cost" : "improves by/$", .right = true},
        [SPENT] = {.title = "spent by then", .right = true},
        [BUDGET] = {.title = "budget", .hidden = true},
    };
    const struct plan_stage *stages = look->res->stages.at;
    struct table t = table_new(columns, COLUMNS, look->view->arena);

    if (look->res->stages.len == 0)
        return;
    for (size_t i = 0; i < look->res->stages.len; i++) {
        stage_row(look, &t, &stages[i]);
        columns[BUDGET].hidden &= stages[i].affordable;
    }
    plan_view_fit(&t, columns, order, ARRAY_LEN(order), &look->view->term);
    plan_view_heading(look, "QUEUE: highest expected value per dollar first");
    table_write(&t, &look->view->term, look->view->out);
}
